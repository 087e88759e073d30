const MAX_CODE_POINT = 0x10ffff;

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
  let text = '';
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const code = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    text += code > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(code);
  }
  return text.toWellFormed();
}
