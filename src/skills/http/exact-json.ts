import { isDeeperThan, type JsonValue } from '@palabre/json';

/** Numbers that JavaScript may round. Numbers of up to 15 digits are exact. */
const MAYBE_INEXACT = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const MAX_NUMBER_CHARACTERS = 400;
const MAX_PRECISION = 100;
const NUMBER = /^-?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** Finds numbers and starts of texts. Other characters need no look. */
const TOKEN = /"|-?\d[\d.eE+-]*/g;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MAX_LEVELS = 1_000;
/** The most long numbers that are compared with their parsed values, a few microseconds each. */
const MAX_COMPARED = 1_000;
/** The longest number that JavaScript writes. */
const MAX_WRITTEN_CHARACTERS = 25;

interface Decimal {
  digits: string;
  exponent: number;
}

/**
 * Parses JSON without changing numbers: those that JavaScript would round become texts, so that an identifier of 20
 * digits stays the same. Throws SyntaxError, and RangeError for deep nesting.
 */
export function parseExactly(text: string): JsonValue {
  const exact = exactJson(text);
  const value = JSON.parse(exact) as JsonValue;
  if (exact !== text && isDeeperThan(value, MAX_LEVELS)) throw new RangeError('The JSON is nested too deep.');
  return value;
}

/** The JSON with texts instead of numbers that JavaScript would round. */
export function exactJson(text: string): string {
  return MAYBE_INEXACT.test(text) ? withTexts(text) : text;
}

/** A reviver for JSON.parse that gets the source would take ten times as long as parsing. */
function withTexts(json: string): string {
  // Joining a list of so many pieces takes twice as long.
  let written = '';
  let taken = 0;
  let compared = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(json); found; found = TOKEN.exec(json)) {
    const [token] = found;
    if (token === '"') TOKEN.lastIndex = endOfText(json, found.index);
    else if (MAYBE_INEXACT.test(token) && JSON_NUMBER.test(token)) {
      if (isAsWritten(token) || (compared++ < MAX_COMPARED && isKept(Number(token), token))) continue;
      written += `${json.slice(taken, found.index)}"${token}"`;
      taken = found.index + token.length;
    }
  }
  return written + json.slice(taken);
}

function isAsWritten(token: string): boolean {
  return token.length <= MAX_WRITTEN_CHARACTERS && String(Number(token)) === token;
}

/** The position after the closing quotation mark, or the end. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return json.length;
}

function isKept(value: number, source: string): boolean {
  if (source.length > MAX_NUMBER_CHARACTERS) return false;
  const written = decimalOf(source);
  if (!written) return false;
  // Each digit of a whole number counts. A fraction may have more digits than needed to distinguish it.
  const precision = Math.min(Math.max(written.digits.length, 1), MAX_PRECISION);
  const printed = Number.isInteger(value) ? [] : [value.toPrecision(precision)];
  // toPrecision rounds ties up, String gives the shortest form: either may be what was written.
  return [String(value), ...printed].some((number) => isSame(decimalOf(number), written));
}

function isSame(held: Decimal | null, written: Decimal): boolean {
  return held?.digits === written.digits && held.exponent === written.exponent;
}

/** The number as 0.digits × 10^exponent, without outer zeros or the sign, which is never lost. Null: not a number. */
function decimalOf(number: string): Decimal | null {
  const [found, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  if (found === undefined) return null;
  const all = `${whole}${fraction}`;
  const significant = all.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { digits, exponent: 0 };
  return { digits, exponent: Number(exponent) + whole.length - (all.length - significant.length) };
}
