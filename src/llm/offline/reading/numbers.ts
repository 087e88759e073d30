import { wordsOf } from './fold.js';

export interface FoundNumber {
  value: number;
  start: number;
  end: number;
  /** An article or a bare «mille»: a number only when a unit follows. */
  weak: boolean;
}

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
  // «10 M€», not «10 m»: the caller hands over the text with its capitals for this one.
  [/ ?M(?= ?(?:€|\$|£|F ?CFA|XOF|XAF|EUR|USD))/y, 1e6],
];

const numberWords: Readonly<Record<string, number>> = {
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  six: 6,
  sept: 7,
  huit: 8,
  dix: 10,
  onze: 11,
  douze: 12,
  quinze: 15,
  vingt: 20,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  doce: 12,
  quince: 15,
  veinte: 20,
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
};
const weakWords: Readonly<Record<string, number>> = {
  un: 1,
  une: 1,
  one: 1,
  uno: 1,
  una: 1,
  mille: 1000,
  mil: 1000,
};

/** Reads what one of the forms matched. */
function toValue(digits: string, decimal: ',' | '.' | null): number {
  if (decimal === null) return Number(digits.replace(/\D/g, ''));
  const at = digits.lastIndexOf(decimal);
  return Number(`${digits.slice(0, at).replace(/\D/g, '')}.${digits.slice(at + 1)}`);
}

function digitsAt(folded: string, at: number): { value: number; end: number } | null {
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

/** «2 millions 500 mille» is one number: what follows a multiplier at once and is smaller is added. */
function joined(folded: string, numbers: readonly FoundNumber[]): FoundNumber[] {
  const result: FoundNumber[] = [];
  for (const number of numbers) {
    const last = result.at(-1);
    const touching = last && /^ (?:et )?$/.test(folded.slice(last.end, number.start));
    const afterMultiplier = last && /\p{L}$/u.test(folded.slice(last.start, last.end));
    if (
      last &&
      touching &&
      afterMultiplier &&
      last.value >= 1000 &&
      number.value < 1e6 &&
      number.value < last.value
    )
      result[result.length - 1] = { ...last, value: last.value + number.value, end: number.end };
    else result.push(number);
  }
  return result;
}

/** Every number of a text with its place. `folded` is `fold(text)`; a digit inside a name (R134a, CO2) is none. */
export function findNumbers(text: string, folded: string): FoundNumber[] {
  const numbers: FoundNumber[] = [];
  for (let at = 0; at < folded.length; at += 1) {
    if (!/\d/.test(folded[at] ?? '')) continue;
    const before = folded.slice(Math.max(0, at - 2), at);
    const found = digitsAt(folded, at);
    if (!found) continue;
    // A letter, or a letter and a hyphen, makes it part of a name: R134a, ISO-14001.
    const partOfName = /(?!\p{Script=Han})\p{L}$/u.test(before) || /(?!\p{Script=Han})\p{L}-$/u.test(before);
    const negative = /(?:^|[\s(:=])-$/.test(before);
    const sign = negative ? -1 : 1;
    const start = negative ? at - 1 : at;
    if (!partOfName)
      numbers.push(scaled(text, folded, { value: sign * found.value, start, end: found.end, weak: false }));
    at = Math.max(found.end, numbers.at(-1)?.end ?? 0) - 1;
  }
  return joined(
    folded,
    [...numbers, ...spelledNumbers(text, folded, numbers)].toSorted((a, b) => a.start - b.start),
  );
}

function spelledNumbers(text: string, folded: string, taken: readonly FoundNumber[]): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (const { text: word, start, end } of wordsOf(folded)) {
    const strong = Object.hasOwn(numberWords, word) ? numberWords[word] : undefined;
    const value = strong ?? (Object.hasOwn(weakWords, word) ? weakWords[word] : undefined);
    if (value === undefined || [...taken, ...found].some((other) => start < other.end && end > other.start))
      continue;
    found.push(scaled(text, folded, { value, start, end, weak: strong === undefined }));
  }
  return found;
}
