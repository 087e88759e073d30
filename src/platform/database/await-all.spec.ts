import { awaitAll } from './await-all.js';

it('gives what each came to', async () => {
  expect(await awaitAll([Promise.resolve(1), null, Promise.resolve('2')])).toEqual([1, null, '2']);
});

it('tells the first failure in order, whichever came first', async () => {
  const slow = Promise.withResolvers<void>();
  const all = awaitAll([Promise.resolve(), slow.promise, Promise.reject(new Error('because of it'))]);
  slow.reject(new Error('the reason'));
  await expect(all).rejects.toThrow('the reason');
});

it('does not end before all have, for what is still under way belongs to the transaction', async () => {
  const slow = Promise.withResolvers<void>();
  let told: unknown = null;
  const all = awaitAll([Promise.reject(new Error('early')), slow.promise]).catch((error) => (told = error));
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBeNull();
  slow.resolve();
  expect(await all).toEqual(new Error('early'));
});
