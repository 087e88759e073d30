import { sentencesOf } from './prose.js';
import { type Token, tokensOf } from './tokens.js';
import { informativeIn, WordSet } from './vocabulary.js';

export interface Passage {
  text: string;
  /** The citation number. Null: none. */
  marker: number | null;
  /** The name of its source. Empty: unknown. */
  source: string;
}

export interface Quote {
  sentence: string;
  passage: Passage;
}

const MAX_QUOTES = 3;

function isHan({ text }: Token): boolean {
  return /\p{Script=Han}/u.test(text);
}

/**
 * The sentences with every significant word of a question. A sentence that lacks one may be about something else. A
 * year may be in the title above it.
 */
export function quotesFor(question: string, passages: readonly Passage[]): Quote[] {
  const wanted = informativeIn(tokensOf(question));
  if (!wanted.some(({ kind }) => kind === 'word')) return [];
  const quotes = passages.flatMap((passage) =>
    sentencesOf(passage.text)
      .filter((sentence) => !/[?？]$/.test(sentence) && answers(sentence, passage, wanted))
      .map((sentence) => ({ sentence: sentence.replace(/^(?:[-*>#]\s*)+/, ''), passage })),
  );
  return quotes
    .filter(
      ({ sentence }, index) => !quotes.slice(0, index).some((earlier) => repeats(sentence, earlier.sentence)),
    )
    .slice(0, MAX_QUOTES);
}

/**
 * Whether a sentence has all words and figures of another. A message is recognised in this way as the source of a
 * note, except for the date.
 */
function repeats(sentence: string, other: string): boolean {
  const keys = new Set(tokensOf(sentence).map(({ key }) => key));
  return tokensOf(other.replace(/\([^()]*\)$/, '')).every(({ key }) => key === '' || keys.has(key));
}

function answers(sentence: string, { text, source }: Passage, wanted: readonly Token[]): boolean {
  const words = new WordSet(sentence);
  const keys = tokensOf(sentence).map(({ key }) => key);
  const characters = keys.join('');
  const title = new Set(tokensOf(`${source}\n${text.split('\n', 1)[0] ?? ''}`).map(({ key }) => key));
  return wanted.every((token, index) => {
    const next = wanted[index + 1];
    if (isHan(token)) {
      const isPair = next !== undefined && isHan(next) && next.start === token.end;
      return characters.includes(isPair ? token.key + next.key : token.key);
    }
    if (keys.includes(token.key)) return true;
    return token.kind === 'number' ? title.has(token.key) : words.means(wanted, index);
  });
}
