import { Semaphore } from './semaphore.js';

function late(): Error {
  return new Error('late');
}

/** Work that ends on command. */
function work(log: string[], name: string) {
  const end = Promise.withResolvers<void>();
  return {
    end: end.resolve,
    run: async (): Promise<string> => {
      log.push(name);
      await end.promise;
      return name;
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('runs a limited number at a time, in order', async () => {
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

it('gives the place of a failed task to the next', async () => {
  const semaphore = new Semaphore(1, 60_000, late);
  const failed = semaphore.run(() => Promise.reject(new Error('of the work')));
  const next = semaphore.run(async () => 'next');
  await expect(failed).rejects.toThrow('of the work');
  expect(await next).toBe('next');
  expect(await semaphore.run(async () => 'again')).toBe('again');
});

describe('with a clock of its own', () => {
  beforeEach(() => void vi.useFakeTimers({ toNotFake: ['setImmediate'] }));
  afterEach(() => void vi.useRealTimers());

  it('rejects a task that has waited too long', async () => {
    const semaphore = new Semaphore(1, 1_000, late);
    const log: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => work(log, name));
    const running = semaphore.run(first!.run);
    const refused = semaphore.run(second!.run).catch((error: unknown) => error);
    vi.advanceTimersByTime(600);
    const patient = semaphore.run(third!.run);
    vi.advanceTimersByTime(400);
    expect(await refused).toMatchObject({ message: 'late' });
    first!.end();
    await running;
    await settled();
    expect(log).toEqual(['first', 'third']);
    // A running task is not interrupted.
    vi.advanceTimersByTime(10_000);
    third!.end();
    expect(await patient).toBe('third');
    expect(vi.getTimerCount()).toBe(0);
  });
});
