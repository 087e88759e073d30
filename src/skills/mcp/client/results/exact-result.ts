import { isDeepStrictEqual } from 'node:util';

import type { JsonValue } from '../../../../common/json.js';
import { parseExactly } from '../../../http/answer/exact-json.js';

/** All that might have been rounded is printed with so many digits, and little else is. */
const MAYBE_ROUNDED = /[\d.]{16}/;
/** What is larger is printed with an exponent: nobody takes it for an identifier. */
const LARGEST_PRINTED = 1e21;
const MAX_CHARACTERS = 400_000;

const ROUNDED =
  'Whole numbers of 16 digits or more in it may have been rounded on the way: none of them is an identifier to go by.';

/** JSON as JavaScript reads it, and as it was written. */
interface Reading {
  rounded: JsonValue;
  exact: JsonValue;
}

/**
 * A structured result with its numbers as the server wrote them, and what there is to say where nobody knows how it did.
 * The client's parser has rounded them; but servers are to say the same in a text as well (MCP, Structured Content).
 */
export const withExactNumbers = (
  structured: JsonValue,
  texts: readonly string[],
): { value: JsonValue; notes: string[] } => {
  if (!MAYBE_ROUNDED.test(JSON.stringify(structured))) return { value: structured, notes: [] };
  for (const { rounded, exact } of readingsOf(texts)) {
    if (isDeepStrictEqual(rounded, structured)) return { value: exact, notes: [] };
    // The official SDK for Python puts what is no object into one.
    if (isDeepStrictEqual({ result: rounded }, structured)) return { value: { result: exact }, notes: [] };
  }
  return { value: structured, notes: mayBeRounded(structured) ? [ROUNDED] : [] };
};

/** Each text, and all of them as a list: the same SDK gives each element of one a text of its own. */
const readingsOf = (texts: readonly string[]): Reading[] => {
  const found = texts.flatMap((text) => readingOf(text) ?? []);
  if (found.length < texts.length) return found;
  const all = { rounded: found.map(({ rounded }) => rounded), exact: found.map(({ exact }) => exact) };
  return [...found, all];
};

/** Null: it is no JSON, or too long to be looked at. */
const readingOf = (text: string): Reading | null => {
  if (text.length > MAX_CHARACTERS) return null;
  try {
    return { rounded: JSON.parse(text) as JsonValue, exact: parseExactly(text) };
  } catch {
    return null;
  }
};

const mayBeRounded = (value: JsonValue): boolean => {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < LARGEST_PRINTED;
  return typeof value === 'object' && value !== null && Object.values(value).some(mayBeRounded);
};
