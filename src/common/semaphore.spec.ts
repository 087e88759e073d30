import { jest } from '@jest/globals';

import { Semaphore } from './semaphore.js';

const late = (): Error => new Error('late');

/** A work that ends when it is told to. */
const work = (log: string[], name: string) => {
  const end = Promise.withResolvers<void>();
  return {
    end: end.resolve,
    run: async (): Promise<string> => {
      log.push(name);
      await end.promise;
      return name;
    },
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets so many in at a time, in the order in which they came', async () => {
  const semaphore = new Semaphore(2, 60_000, late);
  const log: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(log, name));
  const all = [a, b, c, d].map((each) => semaphore.run(each!.run));
  expect(log).toEqual(['a', 'b']);
  b!.end();
  expect(await all[1]).toBe('b');
  await settled();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const each of [a, c, d]) each!.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('gives the place of a failed work to the next', async () => {
  const semaphore = new Semaphore(1, 60_000, late);
  const failed = semaphore.run(() => Promise.reject(new Error('of the work')));
  const next = semaphore.run(async () => 'next');
  await expect(failed).rejects.toThrow('of the work');
  expect(await next).toBe('next');
  expect(await semaphore.run(async () => 'again')).toBe('again');
});

describe('with a clock of its own', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => void jest.useRealTimers());

  it('sends away what has waited too long, and leaves its place in line to the next', async () => {
    const semaphore = new Semaphore(1, 1_000, late);
    const log: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => work(log, name));
    const running = semaphore.run(first!.run);
    const refused = semaphore.run(second!.run).catch((error: unknown) => error);
    jest.advanceTimersByTime(600);
    const patient = semaphore.run(third!.run);
    jest.advanceTimersByTime(400);
    expect(await refused).toMatchObject({ message: 'late' });
    first!.end();
    await running;
    await settled();
    expect(log).toEqual(['first', 'third']);
    // Whoever is in is not sent away.
    jest.advanceTimersByTime(10_000);
    third!.end();
    expect(await patient).toBe('third');
    expect(jest.getTimerCount()).toBe(0);
  });
});
