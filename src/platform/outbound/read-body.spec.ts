import { Readable } from 'node:stream';

import { readBody } from './read-body.js';

it('lets others be served while a body comes as fast as it can be read', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  const pieces = Array.from({ length: 32 }, () => Buffer.alloc(65_536, 'a'));
  const { bytes, truncated } = await readBody(Readable.from(pieces), undefined, 2_000_000);
  clearImmediate(waiting);
  expect([bytes.length, truncated]).toEqual([2_000_000, true]);
  expect(turns).toBeGreaterThan(10);
});
