import { expect, it } from '@jest/globals';

import { together } from './together.js';

it('gives what each came to', async () => {
  expect(await together([Promise.resolve(1), null, Promise.resolve('2')])).toEqual([1, null, '2']);
});

it('tells the first failure in order, whichever came first', async () => {
  const slow = Promise.withResolvers<void>();
  const all = together([Promise.resolve(), slow.promise, Promise.reject(new Error('because of it'))]);
  slow.reject(new Error('the reason'));
  await expect(all).rejects.toThrow('the reason');
});

it('does not end before all have, for what is still under way belongs to the transaction', async () => {
  const slow = Promise.withResolvers<void>();
  let told: unknown = null;
  const all = together([Promise.reject(new Error('early')), slow.promise]).catch((error) => (told = error));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeNull();
  slow.resolve();
  expect(await all).toEqual(new Error('early'));
});
