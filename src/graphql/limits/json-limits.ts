import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type JsonExcess, JsonScan } from '@palabre/parsing';

/** Strings, numbers, lists and objects of a request. An import of 5,000 messages has 25,000. */
export const MAX_VALUES = 30_000;

/** The maximum number of keys of one object. Parsing an object with many more becomes slow. */
export const MAX_KEYS = 1_000;

/** The maximum nesting: readers of JSON may be recursive. */
export const MAX_NESTING = 100;

export const TOO_MANY_VALUES = `A request holds at most ${MAX_VALUES} values.`;
export const TOO_MANY_KEYS = `In a request, an object has at most ${MAX_KEYS} keys.`;
export const TOO_DEEP = `In a request, lists and objects are nested at most ${MAX_NESTING} deep.`;

/** The part of a long body that is scanned at once, in less than a millisecond. */
const SLICE_BYTES = 128 * 1024;

const limits = { values: MAX_VALUES, keys: MAX_KEYS, nesting: MAX_NESTING };

const words: Record<JsonExcess, string> = {
  values: TOO_MANY_VALUES,
  keys: TOO_MANY_KEYS,
  nesting: TOO_DEEP,
};

/** Why a request's JSON is refused before parsing. Null: it may be parsed. */
export function jsonFault(json: Uint8Array): string | null {
  const excess = new JsonScan(limits).scan(json);
  return excess && words[excess];
}

/** As jsonFault, for a long body: yields to other requests between its parts. */
export async function longJsonFault(json: Uint8Array): Promise<string | null> {
  const scan = new JsonScan(limits);
  for (let from = 0; from < json.length; from += SLICE_BYTES) {
    const excess = scan.scan(json.subarray(from, from + SLICE_BYTES));
    if (excess) return words[excess];
    await yieldToEventLoop();
  }
  return null;
}

export function holdsTooManyValues(value: unknown): boolean {
  let values = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    values += 1;
    if (values + open.length > MAX_VALUES) return true;
    const next = open.pop();
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}
