import pg from 'pg';

import { FairPool } from './fair-pool.js';

const MAX_WAIT_MS = 1_000;

/** Connections that are lent until `giveBack` is called. */
class Connections {
  readonly lent: string[] = [];
  readonly gone: unknown[] = [];
  private readonly clients: pg.PoolClient[] = [];
  readonly pool: FairPool;

  constructor(size: number, maxWaitMs: number | null = MAX_WAIT_MS) {
    this.pool = new FairPool(size, maxWaitMs, () =>
      Promise.resolve(
        Object.assign(new pg.Client(), { release: (isBroken?: unknown) => void this.gone.push(isBroken) }),
      ),
    );
  }

  async take(company: string): Promise<void> {
    this.clients.push(await this.pool.take(company));
    this.lent.push(company);
  }

  async giveBack(isBroken = false): Promise<void> {
    this.clients.shift()?.release(isBroken);
    await vi.advanceTimersByTimeAsync(0);
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('leaves a connection for the others, and gives those that come back to each in turn', async () => {
  const connections = new Connections(3);
  const all = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((company) => connections.take(company));
  await vi.advanceTimersByTimeAsync(0);
  expect(connections.lent).toEqual(['a', 'a', 'b']);
  expect(connections.pool.waitingCount).toBe(4);
  for (let count = 0; count < all.length; count += 1) await connections.giveBack();
  await Promise.all(all);
  expect(connections.lent).toEqual(['a', 'a', 'b', 'a', 'b', 'c', 'a']);
  expect(connections.pool.waitingCount).toBe(0);
});

it('tells the pool which connections are broken', async () => {
  const connections = new Connections(2);
  await connections.take('a');
  await connections.take('b');
  await connections.giveBack(true);
  await connections.giveBack();
  expect(connections.gone).toEqual([true, false]);
});

it('gives the place to the next one when no connection can be made', async () => {
  const pool = new FairPool(1, null, () => Promise.reject(new Error('Refused.')));
  for (let count = 0; count < 3; count += 1) await expect(pool.take('a')).rejects.toThrow('Refused.');
});

it('gives up after the longest wait, and lets the next one in later', async () => {
  // AbortSignal.timeout does not use timers that can be faked.
  vi.useRealTimers();
  const connections = new Connections(2, 1);
  await connections.take('a');
  await expect(connections.take('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await connections.take('b');
  expect(connections.lent).toEqual(['a', 'b']);
});
