import { Readable } from 'node:stream';

import fc from 'fast-check';

import { inPieces } from './pieces.js';

it('gives the same bytes, in pieces of one size but for the last', async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 9 }), async (given, size) => {
      const pieces = await Array.fromAsync(inPieces(Readable.from(given), size));
      const whole = Buffer.concat(given);
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
      expect(pieces.map(({ byteLength }) => byteLength)).toEqual(
        Array.from({ length: Math.ceil(whole.byteLength / size) }, (_, index) =>
          Math.min(size, whole.byteLength - index * size),
        ),
      );
    }),
  );
});
