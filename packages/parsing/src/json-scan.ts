export interface JsonLimits {
  /** Strings, numbers, lists and objects. */
  values: number;
  /** The most keys of one object. Parsing an object with very many keys is slow. */
  keys: number;
  nesting: number;
}

export type JsonExcess = keyof JsonLimits;

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_OBJECT = 0x7b;
const OPENING_LIST = 0x5b;
const FIRST_CHARACTER = 0x20;
const CLOSING_OBJECT = 0x7d;
const CLOSING_LIST = 0x5d;

/** Counts commas and brackets outside of strings, which make JSON slow to parse. Invalid JSON may be reported too. */
export class JsonScan {
  private values = 1;
  private isInText = false;
  private isEscaped = false;
  private depth = 0;
  /** The number of keys so far of each open object, by depth. Lists have 0. */
  private readonly keys: Int32Array;

  constructor(private readonly limits: JsonLimits) {
    this.keys = new Int32Array(limits.nesting + 2);
  }

  /** Scans the next bytes. Null: they exceed no limit so far. */
  scan(json: Uint8Array): JsonExcess | null {
    // Most bytes are in strings. Local variables make scanning them three times as fast.
    let { isInText } = this;
    let index = 0;
    if (this.isEscaped) isInText = !isControl(json[index++]);
    for (; index < json.length; index += 1) {
      const byte = json[index] ?? 0;
      if (isInText) {
        // Strings end with their line, so a quote in another format does not hide the rest.
        if (byte === BACKSLASH) isInText = !isControl(json[(index += 1)]);
        else if (byte === QUOTE || byte < FIRST_CHARACTER) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else {
        const excess = this.excessAt(byte);
        if (excess !== null) return excess;
      }
    }
    this.isInText = isInText;
    // The part ended with a backslash: the escaped character is in the next one.
    this.isEscaped = index > json.length;
    return null;
  }

  private excessAt(byte: number): JsonExcess | null {
    const { limits } = this;
    if (byte === COMMA) {
      const keys = this.keys[this.depth] ?? 0;
      if (keys >= limits.keys) return 'keys';
      if (keys > 0) this.keys[this.depth] = keys + 1;
      this.values += 1;
    } else if (byte === OPENING_OBJECT || byte === OPENING_LIST) {
      this.depth += 1;
      if (this.depth > limits.nesting) return 'nesting';
      this.keys[this.depth] = byte === OPENING_OBJECT ? 1 : 0;
      this.values += 1;
    } else if (byte === CLOSING_OBJECT || byte === CLOSING_LIST) this.depth = Math.max(0, this.depth - 1);
    return this.values > limits.values ? 'values' : null;
  }
}

function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte < FIRST_CHARACTER;
}
