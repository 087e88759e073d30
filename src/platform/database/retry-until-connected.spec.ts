import { DomainError } from '../../common/errors/domain-error.js';
import { retryUntilConnected } from './retry-until-connected.js';

function away(): DomainError {
  return new DomainError('UNAVAILABLE', 'The database is away.');
}

/** Pauses that are over at once, and how long they would have been. */
function start(onPause: (count: number) => void = () => undefined) {
  const pauses: number[] = [];
  const stop = new AbortController();
  const pause = async (ms: number): Promise<void> => {
    pauses.push(ms);
    onPause(pauses.length);
  };
  return { pauses, stop, pause };
}

it('retries until it succeeds, with pauses that grow to a second', async () => {
  const { pauses, stop, pause } = start();
  let attempts = 0;
  const work = async (): Promise<string> => {
    attempts += 1;
    if (attempts <= 8) throw away();
    return 'done';
  };
  expect(await retryUntilConnected(work, stop.signal, pause)).toBe('done');
  const most = [50, 100, 200, 400, 800, 1_000, 1_000, 1_000];
  expect(pauses).toHaveLength(most.length);
  for (const [index, ms] of pauses.entries()) {
    expect(ms).toBeLessThanOrEqual(most[index]!);
    expect(ms).toBeGreaterThanOrEqual(most[index]! / 2);
  }
});

it.each([new Error('of another kind'), new DomainError('NOT_FOUND', 'There is none.')])(
  'passes on what no waiting would mend: %p',
  async (error) => {
    const { pauses, stop, pause } = start();
    const work = async (): Promise<never> => {
      throw error;
    };
    await expect(retryUntilConnected(work, stop.signal, pause)).rejects.toBe(error);
    expect(pauses).toEqual([]);
  },
);

it('gives up with the reason of the signal', async () => {
  const reason = new Error('The process is stopping.');
  const { pauses, stop, pause } = start((count) => {
    if (count === 3) stop.abort(reason);
  });
  const work = async (): Promise<never> => {
    throw away();
  };
  await expect(retryUntilConnected(work, stop.signal, pause)).rejects.toBe(reason);
  expect(pauses).toHaveLength(3);
});

it('ends a real pause as soon as the signal is aborted', async () => {
  const reason = new Error('The process is stopping.');
  const stop = new AbortController();
  const work = async (): Promise<never> => {
    setImmediate(() => stop.abort(reason));
    throw away();
  };
  await expect(retryUntilConnected(work, stop.signal)).rejects.toBe(reason);
});

it('does not start after the signal is aborted', async () => {
  const reason = new Error('The process is stopping.');
  let attempts = 0;
  const work = async (): Promise<void> => void (attempts += 1);
  await expect(retryUntilConnected(work, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(attempts).toBe(0);
});
