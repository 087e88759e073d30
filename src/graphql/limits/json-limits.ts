import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Of a request: texts, numbers, lists and objects. An import of 5,000 messages has 25,000 of them. */
export const MAX_VALUES = 30_000;

/** Of one object. Each further key of so large a one takes longer to read than the last. */
export const MAX_KEYS = 1_000;

/** Maximum nesting: readers of JSON may be recursive. */
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

/** Looked through in less than a millisecond. */
const SLICE_BYTES = 128 * 1024;

/**
 * Whether JSON holds more values, or is nested deeper, than is taken; null: neither. Told by its commas and brackets
 * outside of texts, before it is parsed, which takes a hundred times as long. What is no JSON may be told either.
 */
export function jsonFault(json: Uint8Array): string | null {
  return new JsonScan().scan(json);
}

/** The same of a long one, while others are served. */
export async function longJsonFault(json: Uint8Array): Promise<string | null> {
  const scan = new JsonScan();
  for (let from = 0; from < json.length; from += SLICE_BYTES) {
    const fault = scan.scan(json.subarray(from, from + SLICE_BYTES));
    if (fault !== null) return fault;
    await yieldToEventLoop();
  }
  return null;
}

/** Looks through the bytes of one JSON, in however many pieces they come. */
export class JsonScan {
  private values = 1;
  private isInText = false;
  private isEscaped = false;
  private depth = 0;
  /** The keys so far of the objects that are open, by depth; of a list, none are counted. */
  private readonly keys = new Int32Array(MAX_NESTING + 2);

  /** The next bytes. Null: there is no fault so far. */
  scan(json: Uint8Array): string | null {
    // Texts are most of it: what they need is kept in variables, which takes a third of the time.
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
    // The last byte was a backslash, and what it stands before is still to come.
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

/** Whether what has been parsed already holds too many values. */
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
