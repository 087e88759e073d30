/** Gives bytes' text, as a TextDecoder does. */
export interface BytesDecoder {
  /** As the encoding standard calls it. */
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** What 0x80 to 0x9F are. Five of them are nothing, and stay the controls that they are in ISO 8859-1. */
const HIGH = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const windows1252: BytesDecoder = {
  encoding: 'windows-1252',
  decode: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replaceAll(/[\u0080-\u009f]/g, (control) => HIGH.charAt(control.charCodeAt(0) - 0x80)),
};

/**
 * The decoder of an encoding, by any of its names; the standard takes those of ISO 8859-1 and ASCII for windows-1252.
 * Throws where TextDecoder does: for a name that nobody knows.
 *
 * Node 22.13 to 22.18 and 24.0 to 24.6 decode windows-1252 as ISO 8859-1, so that ’ and € become controls
 * (https://github.com/nodejs/node/issues/56542, https://github.com/nodejs/node/pull/60888). Here it is decoded alike by
 * all of them.
 */
export function decoderFor(label: string): BytesDecoder {
  const decoder = new TextDecoder(label);
  return decoder.encoding === windows1252.encoding ? windows1252 : decoder;
}
