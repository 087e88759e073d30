/** The tokens of an RTF file. Bytes refer to the file itself. */
export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; word: string; value: number | null }
  | { kind: 'symbol'; symbol: string }
  | { kind: 'text'; bytes: Uint8Array };

const [BACKSLASH, OPEN, CLOSE, QUOTE] = [0x5c, 0x7b, 0x7d, 0x27];
const [LINE_FEED, RETURN, SPACE, MINUS] = [0x0a, 0x0d, 0x20, 0x2d];
const MAX_WORD = 32;
const MAX_DIGITS = 10;

/** Splits an RTF file into tokens, whatever its bytes are. Binary pictures are left out. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at++;
    } else if (byte === BACKSLASH) {
      const { token, end } = controlAt(bytes, at + 1);
      yield token;
      at = end;
    } else if (byte === LINE_FEED || byte === RETURN) at++;
    else {
      const end = endOfText(bytes, at);
      yield { kind: 'text', bytes: bytes.subarray(at, end) };
      at = end;
    }
  }
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && !isSpecial(bytes[at])) at++;
  return at;
}

function isSpecial(byte: number | undefined): boolean {
  return byte === BACKSLASH || byte === OPEN || byte === CLOSE || byte === LINE_FEED || byte === RETURN;
}

interface Control {
  token: RtfToken;
  /** The position after the token. */
  end: number;
}

function controlAt(bytes: Uint8Array, start: number): Control {
  const first = bytes[start];
  if (first === QUOTE) {
    const byte = Number.parseInt(asciiOf(bytes, start + 1, start + 3), 16);
    const hex = Number.isNaN(byte) ? [] : [byte];
    return { token: { kind: 'text', bytes: Uint8Array.from(hex) }, end: start + 3 };
  }
  if (!isLetter(first)) {
    const symbol = first === undefined ? '' : String.fromCharCode(first);
    return { token: { kind: 'symbol', symbol }, end: start + 1 };
  }
  let end = start;
  while (isLetter(bytes[end]) && end - start < MAX_WORD) end++;
  const word = asciiOf(bytes, start, end);
  const numberStart = end;
  if (bytes[end] === MINUS) end++;
  while (isDigit(bytes[end]) && end - numberStart < MAX_DIGITS) end++;
  const number = Number.parseInt(asciiOf(bytes, numberStart, end), 10);
  const value = Number.isNaN(number) ? null : number;
  if (bytes[end] === SPACE) end++;
  if (word === 'bin') end += Math.max(0, value ?? 0);
  return { token: { kind: 'word', word, value }, end };
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}
