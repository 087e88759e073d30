import { endOfHalf, findHalves, fractionAt, scaleOf } from './fractions.js';
import type { FoundNumber } from './found-number.js';
import { findHanNumbers } from './han-numbers.js';
import { findSpelledNumbers } from './number-words.js';
import { apartFrom, byStart } from '../spans.js';

/** From the most to the least telling form; the first that fits at a place is taken. */
const forms: readonly { pattern: RegExp; decimal: ',' | '.' | null }[] = [
  { pattern: /\d{1,3}(?:[ ']\d{3})+(?!\d),\d+/y, decimal: ',' },
  { pattern: /\d{1,3}(?:[ ']\d{3})+(?!\d)\.\d+/y, decimal: '.' },
  { pattern: /\d{1,3}(?:[ ']\d{3})+(?!\d)/y, decimal: null },
  { pattern: /\d{1,3}(?:\.\d{3})+,\d+/y, decimal: ',' },
  { pattern: /\d{1,3}(?:,\d{3})+\.\d+/y, decimal: '.' },
  { pattern: /[1-9]\d{0,2}(?:\.\d{3})+(?!\d)/y, decimal: null },
  { pattern: /[1-9]\d{0,2}(?:,\d{3})+(?!\d)/y, decimal: null },
  { pattern: /\d+,\d+/y, decimal: ',' },
  { pattern: /\d+\.\d+/y, decimal: '.' },
  { pattern: /\d+/y, decimal: null },
];

const multipliers: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/ ?(?:milliards?|billions?|mil millones|bn)(?![\p{L}\p{N}])/uy, 1e9],
  [/ ?(?:millions?|millones|millon|mio)(?![\p{L}\p{N}])/uy, 1e6],
  [/ ?(?:mille|mil|thousands?|k)(?![\p{L}\p{N}])/uy, 1e3],
  [/ ?(?:億)/y, 1e8],
  [/ ?(?:百萬)/y, 1e6],
  [/ ?(?:萬)/y, 1e4],
  [/ ?(?:千)(?!瓦|克)/y, 1e3],
  // «10 M€», not «10 m»: the caller hands over the text with its capitals for this one.
  [/ ?M(?= ?(?:€|\$|£|F ?CFA|XOF|XAF|EUR|USD))/y, 1e6],
];

/** Reads what one of the forms matched. */
function toValue(digits: string, decimal: ',' | '.' | null): number {
  if (decimal === null) return Number(digits.replace(/\D/g, ''));
  const at = digits.lastIndexOf(decimal);
  return Number(`${digits.slice(0, at).replace(/\D/g, '')}.${digits.slice(at + 1)}`);
}

function digitsAt(folded: string, at: number): { value: number; end: number } | null {
  const fraction = fractionAt(folded, at);
  if (fraction) return fraction;
  for (const { pattern, decimal } of forms) {
    pattern.lastIndex = at;
    const match = pattern.exec(folded);
    if (match) return { value: toValue(match[0], decimal), end: at + match[0].length };
  }
  return null;
}

function multiplierAt(text: string, folded: string, at: number): { factor: number; end: number } | null {
  for (const [pattern, factor] of multipliers) {
    pattern.lastIndex = at;
    const match = pattern.exec(factor === 1e6 && pattern.source.includes('M(') ? text : folded);
    if (match) return { factor, end: at + match[0].length };
  }
  return null;
}

/** A float product can be off in its last digit: 3.3 × 1000. */
const times = (value: number, factor: number): number => Number((value * factor).toPrecision(15));

function scaled(text: string, folded: string, found: FoundNumber): FoundNumber {
  const multiplier = multiplierAt(text, folded, found.end);
  if (!multiplier) return found;
  return { ...found, value: times(found.value, multiplier.factor), end: multiplier.end, weak: false };
}

/** «1萬2千»: what ends with a Chinese sign may be followed at once. */
const isHan = (folded: string, { start, end }: FoundNumber): boolean =>
  /\p{Script=Han}$/u.test(folded.slice(start, end));

/** «2 millions 500 mille» is one number: what follows a multiplier at once and is smaller is added. */
function joined(folded: string, numbers: readonly FoundNumber[]): FoundNumber[] {
  const result: FoundNumber[] = [];
  for (const number of numbers) {
    const last = result.at(-1);
    const gap = last && folded.slice(last.end, number.start);
    const touching =
      gap !== undefined && (/^ (?:et )?$/.test(gap) || (gap === '' && last && isHan(folded, last)));
    const afterMultiplier = last && /\p{L}$/u.test(folded.slice(last.start, last.end));
    if (
      last &&
      touching &&
      afterMultiplier &&
      last.value >= 1000 &&
      number.value >= 1 &&
      number.value < 1e6 &&
      number.value < last.value
    )
      result[result.length - 1] = { ...last, value: last.value + number.value, end: number.end };
    else result.push(number);
  }
  return result;
}

/** «2 et demi», «deux millions et demi», «two and a half million»: the half belongs to the number before it. */
function withHalves(text: string, folded: string, numbers: readonly FoundNumber[]): FoundNumber[] {
  const result: FoundNumber[] = [];
  for (const number of numbers) {
    if (number.start < (result.at(-1)?.end ?? 0)) continue;
    const end = endOfHalf(folded, number.end);
    const half = scaleOf(folded.slice(number.start, number.end)) / 2;
    result.push(
      end === null
        ? number
        : scaled(text, folded, { ...number, value: number.value + half, end, weak: false }),
    );
  }
  return result;
}

/** Every number of a text with its place. `folded` is `fold(text)`; a digit inside a name (R134a, CO2) is none. */
export function findNumbers(text: string, folded: string): FoundNumber[] {
  const numbers: FoundNumber[] = [];
  for (let at = 0; at < folded.length; at += 1) {
    if (!/[\d½¼¾⅓⅔]/.test(folded[at] ?? '')) continue;
    const before = folded.slice(Math.max(0, at - 2), at);
    const found = digitsAt(folded, at);
    if (!found) continue;
    // A letter, or a letter and a hyphen, makes it part of a name: R134a, ISO-14001; «2x1000» is a product.
    const partOfName = /(?!\p{Script=Han})\p{L}-?$/u.test(before) && !/^\dx$/.test(before);
    const negative = /(?:^|[\s(:=])-$/.test(before);
    const sign = negative ? -1 : 1;
    const start = negative ? at - 1 : at;
    if (!partOfName)
      numbers.push(scaled(text, folded, { value: sign * found.value, start, end: found.end, weak: false }));
    at = Math.max(found.end, numbers.at(-1)?.end ?? 0) - 1;
  }
  // The «mille» of «3 mille» is taken.
  const spelled = [...findSpelledNumbers(folded), ...findHanNumbers(folded), ...findHalves(folded)].toSorted(
    byStart,
  );
  const all = joined(folded, [...numbers, ...apartFrom(spelled, numbers)].toSorted(byStart));
  return withHalves(text, folded, all);
}
