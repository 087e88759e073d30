export type RtfToken =
  | { kind: 'open' | 'close' }
  | { kind: 'word'; word: string; value: number | null }
  | { kind: 'symbol'; symbol: string }
  /** Each character is a byte. */
  | { kind: 'text'; text: string };

const TOKEN =
  /(?<brace>[{}])|\\'(?<hex>[^]{0,2})|\\(?<word>[a-z]{1,32})(?<value>-?\d{1,10})? ?|\\(?<symbol>[^]?)|(?<text>[^\\{}\r\n]+)|[\r\n]+/giy;

/** Splits an RTF file into tokens, whatever its bytes are. Binary pictures are left out. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const tokens = new RegExp(TOKEN);
  for (let found = tokens.exec(file); found; found = tokens.exec(file)) {
    const { brace, hex, word, value, symbol, text } = found.groups ?? {};
    if (brace !== undefined) yield { kind: brace === '{' ? 'open' : 'close' };
    else if (hex !== undefined) {
      const byte = Number.parseInt(hex, 16);
      yield { kind: 'text', text: Number.isNaN(byte) ? '' : String.fromCharCode(byte) };
    } else if (word !== undefined) {
      const number = value === undefined ? null : Number(value);
      yield { kind: 'word', word, value: number };
      if (word === 'bin') tokens.lastIndex += Math.max(0, number ?? 0);
    } else if (symbol !== undefined) yield { kind: 'symbol', symbol };
    else if (text !== undefined) yield { kind: 'text', text };
  }
}
