import { withLatin1TextDecoder } from './latin1-text-decoder.double.js';
import { decoderFor } from './windows-1252.js';

/** https://encoding.spec.whatwg.org/index-windows-1252.txt, from 0x80 to 0x9F; the rest is as in ISO 8859-1. */
const index = [
  0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
  0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122,
  0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
];

const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const expected = [...all].map((byte) => String.fromCodePoint(index[byte - 0x80] ?? byte)).join('');

it.each([
  'windows-1252',
  'cp1252',
  'x-cp1252',
  'ISO-8859-1',
  'latin1',
  'l1',
  'ascii',
  'us-ascii',
  ' Latin1 ',
])('each of the 256 bytes is what the standard says, by the name %j, whatever the runtime does', (label) => {
  expect(decoderFor(label).decode(all)).toBe(expected);
  expect(withLatin1TextDecoder(() => decoderFor(label).decode(all))).toBe(expected);
  expect(decoderFor(label).encoding).toBe('windows-1252');
});

it('decodes a part of a larger buffer alone', () => {
  expect(decoderFor('latin1').decode(all.subarray(0x80, 0x82))).toBe('€\u0081');
  expect(decoderFor('latin1').decode(new Uint8Array(0))).toBe('');
});

it('leaves other encodings to the runtime', () => {
  expect(decoderFor('iso-8859-15').decode(Uint8Array.of(0xa4))).toBe('€');
  expect(decoderFor('utf8').decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9))).toBe('é');
  expect(() => decoderFor('klingon')).toThrow('klingon');
});
