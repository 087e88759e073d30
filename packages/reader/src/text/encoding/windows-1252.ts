export interface BytesDecoder {
  /** By its name in the encoding standard. */
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** The characters of 0x80 to 0x9F. Five are unassigned and stay control characters, as in ISO 8859-1. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const windows1252: BytesDecoder = {
  encoding: 'windows-1252',
  decode: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replaceAll(/[\u0080-\u009f]/g, (control) => HIGH.charAt(control.charCodeAt(0) - 0x80)),
};

/**
 * The decoder of an encoding by any of its names. The standard treats ISO 8859-1 and ASCII as windows-1252. Throws for
 * an unknown name, as TextDecoder does.
 *
 * Node 22.13 to 22.18 and 24.0 to 24.6 decode windows-1252 as ISO 8859-1, so that ’ and € become control characters
 * (https://github.com/nodejs/node/issues/56542, https://github.com/nodejs/node/pull/60888). This decoder is the same in
 * all versions.
 */
export function decoderFor(label: string): BytesDecoder {
  const decoder = new TextDecoder(label);
  return decoder.encoding === windows1252.encoding ? windows1252 : decoder;
}
