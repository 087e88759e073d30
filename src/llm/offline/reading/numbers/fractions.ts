import type { FoundNumber } from './found-number.js';

const signs: ReadonlyMap<string, number> = new Map([
  ['½', 1 / 2],
  ['¼', 1 / 4],
  ['¾', 3 / 4],
  ['⅓', 1 / 3],
  ['⅔', 2 / 3],
]);
const signed = /(?:(\d{1,3}) ?)?([½¼¾⅓⅔])/y;
const slashed = /(?:(\d{1,3}) )?(\d{1,2})\/(\d{1,2})(?![\d/])/y;
/** What has a larger part below the stroke is a day, a page or a ratio. */
const largestPart = 10;

/** «1/2», «2 1/2», «¾»: the fraction that begins at a place, where it is one. */
export function fractionAt(folded: string, at: number): { value: number; end: number } | null {
  signed.lastIndex = at;
  const sign = signed.exec(folded);
  if (sign) return { value: Number(sign[1] ?? 0) + (signs.get(sign[2] ?? '') ?? 0), end: signed.lastIndex };
  slashed.lastIndex = at;
  const match = slashed.exec(folded);
  const [above, below] = [Number(match?.[2]), Number(match?.[3])];
  if (!match || !(above > 0 && above < below && below <= largestPart) || folded[at - 1] === '/') return null;
  return { value: Number(match[1] ?? 0) + above / below, end: slashed.lastIndex };
}

const half = /(?<![\p{L}\p{N}-])(?:demie?|half(?: an?)?|medi[oa])(?=[ -]\p{L})|(?<!一)半(?=[噸公升度斤])/gu;

/** «une demi-tonne», «half a ton», «media tonelada», «半噸»: a number only where a unit follows. */
export const findHalves = (folded: string): FoundNumber[] =>
  Array.from(folded.matchAll(half), ({ 0: word, index }) => ({
    value: 0.5,
    start: index,
    end: index + word.length,
    weak: true,
  }));

const andAHalf = /(?: (?:et demie?|and a half|y medi[oa])(?![\p{L}\p{N}-])|半)/uy;

/** Past «et demie», «and a half», where it stands at a place; null: it does not. */
export function endOfHalf(folded: string, at: number): number | null {
  andAHalf.lastIndex = at;
  return andAHalf.test(folded) ? andAHalf.lastIndex : null;
}

const scales: readonly (readonly [RegExp, number])[] = [
  [/(?:milliards?|billions?|mil millones|bn)$/, 1e9],
  [/(?:millions?|millones|millon|mio)$/, 1e6],
  [/(?:mille|mil|thousands?|\dk)$/, 1e3],
  [/億$/, 1e8],
  [/萬$/, 1e4],
];

/** What the last word of a number multiplies by: the half of «deux millions et demi» is of a million. */
export const scaleOf = (numeral: string): number => scales.find(([word]) => word.test(numeral))?.[1] ?? 1;
