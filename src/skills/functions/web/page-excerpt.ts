import { withoutAccents } from '../../../common/text/folded-text.js';
import type { Tokenizer } from '../../../llm/tokens/tokenizer.js';

/** A part of a page that fits a number of tokens. */
export interface Excerpt {
  text: string;
  /** Tokens of the page that it leaves out; 0 for all of it. */
  omittedTokens: number;
  /** Whether the part was chosen by what was looked for. */
  isFound: boolean;
}

/** Stands where the passages between two were left out. */
const GAP = '[…]';

/** Marks and the tokens between two paragraphs. */
const GAP_TOKENS = 4;

/** Of longer texts nobody waits for the counting, which would hold up all turns; no excerpt has room for them. */
const MOST_COUNTED_CHARACTERS = 40_000;

/** As much of `markdown` as fits, from its beginning, cut between paragraphs. */
export const beginningOf = (markdown: string, maxTokens: number, tokens: Tokenizer): Excerpt =>
  excerptOf(markdown, maxTokens, tokens, (paragraphs) => paragraphs.map((_, index) => index), false);

/** The paragraphs that tell most of `find`, in the page's order; its beginning where none does. */
export const passagesOf = (markdown: string, find: string, maxTokens: number, tokens: Tokenizer): Excerpt => {
  const words = wordsOf(find);
  const order = (paragraphs: readonly string[]): number[] => {
    const scores = paragraphs.map((paragraph) => scoreOf(paragraph, words));
    return [...scores.keys()]
      .filter((index) => scores[index] !== 0)
      .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
  };
  const found = excerptOf(markdown, maxTokens, tokens, order, true);
  return found.text === '' ? beginningOf(markdown, maxTokens, tokens) : found;
};

const excerptOf = (
  markdown: string,
  maxTokens: number,
  tokens: Tokenizer,
  order: (paragraphs: readonly string[]) => readonly number[],
  isFound: boolean,
): Excerpt => {
  const whole = aboutTokens(markdown, tokens);
  if (!isLong(markdown) && whole <= maxTokens) return { text: markdown, omittedTokens: 0, isFound };
  const paragraphs = markdown.split(/\n{2,}/);
  const chosen: number[] = [];
  let left = maxTokens;
  for (const index of order(paragraphs)) {
    const paragraph = paragraphs[index] ?? '';
    const cost = isLong(paragraph) ? Infinity : tokens.count(paragraph) + GAP_TOKENS;
    if (cost > left) break;
    left -= cost;
    chosen.push(index);
  }
  const [first] = order(paragraphs);
  const text =
    chosen.length > 0 || first === undefined
      ? joined(
          paragraphs,
          chosen.toSorted((one, other) => one - other),
        )
      : tokens.cut(paragraphs[first] ?? '', maxTokens);
  return { text, omittedTokens: Math.max(1, whole - tokens.count(text)), isFound };
};

const isLong = (text: string): boolean => text.length > MOST_COUNTED_CHARACTERS;

/** Of a long text, as many as its beginning makes likely. */
const aboutTokens = (text: string, tokens: Tokenizer): number => {
  if (!isLong(text)) return tokens.count(text);
  const counted = tokens.count(text.slice(0, MOST_COUNTED_CHARACTERS));
  return Math.ceil((counted * text.length) / MOST_COUNTED_CHARACTERS);
};

const joined = (paragraphs: readonly string[], chosen: readonly number[]): string =>
  chosen
    .flatMap((index, position) => {
      const isNext = index === (position === 0 ? 0 : (chosen[position - 1] ?? 0) + 1);
      return isNext ? [paragraphs[index]] : [GAP, paragraphs[index]];
    })
    .join('\n\n');

/** Without accents and capitals; a script without spaces between words is looked for by its characters. */
const folded = (text: string): string => withoutAccents(text).toLowerCase();

const wordsOf = (text: string): string[] => [
  ...new Set(folded(text).match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]{2,}/gu)),
];

/** Different words count before the same one again, and the longer ones more: they tell more. */
const scoreOf = (paragraph: string, words: readonly string[]): number => {
  const text = folded(paragraph);
  return words.filter((word) => text.includes(word)).reduce((sum, word) => sum + word.length, 0);
};
