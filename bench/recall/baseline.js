/** What recall is compared with: BM25 over words, one message at a time, until the budget is used up. */
import { fold } from '@palabre/lexical';

const WORD = /\p{sc=Han}|[\p{L}\p{M}\p{N}]+/gu;
const K1 = 1.2;
const B = 0.75;

export function wordsOf(text) {
  return fold(text).match(WORD) ?? [];
}

/** @returns {(question: string, budgetTokens: number) => string} the context for a question */
export function baselineOf(messages, tokenizer) {
  const texts = messages.map((message) => textOf(message));
  const frequency = new Map();
  for (const { counts } of texts) {
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const idfOf = (word) => {
    const known = frequency.get(word) ?? 0;
    return Math.log(1 + (texts.length - known + 0.5) / (known + 0.5));
  };
  const scoreOf = (words, { counts, length }) =>
    words.reduce((sum, word) => {
      const count = counts.get(word) ?? 0;
      return sum + (idfOf(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
    }, 0);
  return (question, budgetTokens) => {
    const words = [...new Set(wordsOf(question))];
    const best = texts
      .map((text) => ({ text, score: scoreOf(words, text) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    const lines = [];
    let room = budgetTokens;
    for (const { text } of best) {
      const tokens = tokenizer.count(`${text.line}\n`);
      if (tokens > room) break;
      room -= tokens;
      lines.push(text.line);
    }
    return lines.join('\n');
  };
}

function textOf({ author, text, createdAt }) {
  const words = wordsOf(`${author}: ${text}`);
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length, line: `${createdAt.slice(0, 10)} ${author}: ${text}` };
}
