import { strFromU8, unzipSync } from 'fflate';
import fc from 'fast-check';

import { zipped } from './zipped.js';

const pieces = async function* (texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
};

const bytesOf = async (files: Record<string, readonly string[]>): Promise<Uint8Array> => {
  const named = Object.entries(files).map(([name, texts]) => ({ name, pieces: pieces(texts) }));
  return Buffer.concat(await Array.fromAsync(zipped(named)));
};

it('what was zipped piece by piece is unzipped whole, whatever it is', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 2_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(text), fc.array(text), async (a, b) => {
      const files = unzipSync(await bytesOf({ 'a.ndjson': a, 'b.ndjson': b }));
      expect(strFromU8(files['a.ndjson']!)).toBe(a.join(''));
      expect(strFromU8(files['b.ndjson']!)).toBe(b.join(''));
    }),
    { numRuns: 30 },
  );
});

it('a source that fails fails the archive', async () => {
  const broken = async function* (): AsyncGenerator<string> {
    yield 'one';
    throw new Error('the database is away');
  };
  await expect(Array.fromAsync(zipped([{ name: 'a', pieces: broken() }]))).rejects.toThrow(
    'the database is away',
  );
});

it('lets others have their turn while one large piece is compressed', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await bytesOf({ a: ['x'.repeat(1024 * 1024)] });
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(15);
});
