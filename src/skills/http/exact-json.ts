import type { JsonValue } from '@palabre/json';

/** Numbers that JavaScript may round. Numbers of up to 15 digits are exact. */
const MAYBE_INEXACT = /[\d.]{16}|\d[eE][+-]?\d{3}/;
const MAX_NUMBER_CHARACTERS = 400;
const MAX_PRECISION = 100;
const NUMBER = /^-?(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

interface Decimal {
  digits: string;
  exponent: number;
}

/**
 * Parses JSON whose numbers must not change: those that JavaScript would round stay as they were written, as texts, so
 * that an identifier of 20 digits does not become another one. Throws SyntaxError, and RangeError for what is nested
 * too deep.
 */
export function parseExactly(text: string): JsonValue {
  return (MAYBE_INEXACT.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text)) as JsonValue;
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value !== 'number' || source === undefined || isKept(value, source) ? value : source;
}

function isKept(value: number, source: string): boolean {
  if (source.length > MAX_NUMBER_CHARACTERS) return false;
  const written = decimalOf(source);
  if (!written) return false;
  // Every digit of a whole number counts. A fraction may be printed with more digits than tell it from the next
  // number.
  const precision = Math.min(Math.max(written.digits.length, 1), MAX_PRECISION);
  const printed = Number.isInteger(value) ? [] : [value.toPrecision(precision)];
  // toPrecision rounds ties up, String gives the shortest form: either may be what was written.
  return [String(value), ...printed].some((number) => isSame(decimalOf(number), written));
}

function isSame(held: Decimal | null, written: Decimal): boolean {
  return held?.digits === written.digits && held.exponent === written.exponent;
}

/** The number as 0.digits × 10^exponent, without zeros around the digits; its sign is never lost. Null: it is none. */
function decimalOf(number: string): Decimal | null {
  const [found, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  if (found === undefined) return null;
  const all = `${whole}${fraction}`;
  const significant = all.replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return { digits, exponent: 0 };
  return { digits, exponent: Number(exponent) + whole.length - (all.length - significant.length) };
}
