import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * The maximum number of values in a request: strings, numbers, lists and objects. An import of 5,000 messages has
 * 25,000.
 */
export const MAX_VALUES = 30_000;

/** The maximum number of keys of one object. Parsing an object with many more becomes slow. */
export const MAX_KEYS = 1_000;

/** The maximum nesting: readers of JSON may be recursive. */
export const MAX_NESTING = 100;

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_OBJECT = 0x7b;
const OPENING_LIST = 0x5b;
const CLOSING = new Set([0x5d, 0x7d]);

export const TOO_MANY_VALUES = `A request holds at most ${MAX_VALUES} values.`;
export const TOO_MANY_KEYS = `In a request, an object has at most ${MAX_KEYS} keys.`;
export const TOO_DEEP = `In a request, lists and objects are nested at most ${MAX_NESTING} deep.`;

/** The part of a long body that is scanned at once, in less than a millisecond. */
const SLICE_BYTES = 128 * 1024;

/**
 * Whether JSON has too many values or is nested too deep, and which; null: neither. It counts commas and brackets
 * outside of strings before parsing, in a hundredth of the time. Invalid JSON may be reported too.
 */
export function jsonFault(json: Uint8Array): string | null {
  return new JsonScan().scan(json);
}

/** As jsonFault, for a long body: yields to other requests between its parts. */
export async function longJsonFault(json: Uint8Array): Promise<string | null> {
  const scan = new JsonScan();
  for (let from = 0; from < json.length; from += SLICE_BYTES) {
    const fault = scan.scan(json.subarray(from, from + SLICE_BYTES));
    if (fault !== null) return fault;
    await yieldToEventLoop();
  }
  return null;
}

/** Scans the bytes of one JSON text, which may come in several parts. */
export class JsonScan {
  private values = 1;
  private isInText = false;
  private isEscaped = false;
  private depth = 0;
  /** The number of keys so far of each open object, by depth. Lists have 0. */
  private readonly keys = new Int32Array(MAX_NESTING + 2);

  /** Scans the next bytes. Null: no fault so far. */
  scan(json: Uint8Array): string | null {
    // Most bytes are in strings. Local variables make scanning them three times as fast.
    let { isInText } = this;
    let index = this.isEscaped ? 1 : 0;
    for (; index < json.length; index += 1) {
      const byte = json[index] ?? 0;
      if (isInText) {
        if (byte === BACKSLASH) index += 1;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else {
        const fault = this.faultAt(byte);
        if (fault !== null) return fault;
      }
    }
    this.isInText = isInText;
    // The part ended with a backslash: the escaped character is in the next one.
    this.isEscaped = index > json.length;
    return null;
  }

  private faultAt(byte: number): string | null {
    if (byte === COMMA) {
      const keys = this.keys[this.depth] ?? 0;
      if (keys >= MAX_KEYS) return TOO_MANY_KEYS;
      if (keys > 0) this.keys[this.depth] = keys + 1;
      this.values += 1;
    } else if (byte === OPENING_OBJECT || byte === OPENING_LIST) {
      this.depth += 1;
      if (this.depth > MAX_NESTING) return TOO_DEEP;
      this.keys[this.depth] = byte === OPENING_OBJECT ? 1 : 0;
      this.values += 1;
    } else if (CLOSING.has(byte)) this.depth = Math.max(0, this.depth - 1);
    return this.values > MAX_VALUES ? TOO_MANY_VALUES : null;
  }
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
