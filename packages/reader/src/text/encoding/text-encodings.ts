const MAX_CODE_POINT = 0x10ffff;
const CODE_POINTS_AT_A_TIME = 8192;

/** Whether TextDecoder knows it. */
export function isKnownEncoding(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

/** Node has no decoder for UTF-32. Invalid code points become U+FFFD; an incomplete last one is dropped. */
export function decodeUtf32(bytes: Buffer, encoding: 'utf-32le' | 'utf-32be'): string {
  const parts: string[] = [];
  for (let start = 0; start + 4 <= bytes.byteLength; start += 4 * CODE_POINTS_AT_A_TIME) {
    const end = Math.min(bytes.byteLength - (bytes.byteLength % 4), start + 4 * CODE_POINTS_AT_A_TIME);
    const codes: number[] = [];
    for (let at = start; at < end; at += 4) {
      const code = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      codes.push(code > MAX_CODE_POINT || isSurrogate ? 0xfffd : code);
    }
    parts.push(String.fromCodePoint(...codes));
  }
  return parts.join('');
}
