/**
 * The maximum number of values in a request: strings, numbers, lists and objects. An import of 5,000 messages has
 * 25,000.
 */
export const MAX_VALUES = 50_000;

/** The maximum nesting: readers of JSON may be recursive. */
export const MAX_NESTING = 100;

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

export const TOO_MANY_VALUES = `A request holds at most ${MAX_VALUES} values.`;
export const TOO_DEEP = `In a request, lists and objects are nested at most ${MAX_NESTING} deep.`;

/**
 * Whether JSON has too many values or is nested too deep, and which; null: neither. It counts commas and brackets
 * outside of strings before parsing, in a hundredth of the time. Invalid JSON may be reported too.
 */
export function jsonFault(json: Uint8Array): string | null {
  let values = 1;
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index] ?? 0;
    if (isInText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA) values += 1;
    else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (values > MAX_VALUES) return TOO_MANY_VALUES;
    if (depth > MAX_NESTING) return TOO_DEEP;
  }
  return null;
}

/** Whether a parsed value contains too many values. */
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
