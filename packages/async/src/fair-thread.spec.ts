import { FairThread } from './fair-thread.js';
import { LoopLoad } from './loop-load.js';

const MANY_BYTES = 100_000;

/** A thread that works for `utilization` of the time. */
function loadOf(utilization: number): LoopLoad {
  return new LoopLoad(performance.now(), () => ({ active: 100 * utilization, idle: 0, utilization }));
}

/** The milliseconds of a read. */
function reading(ms: number) {
  return (): void => void vi.advanceTimersByTime(ms);
}

describe('the share of the thread that answers are read in', () => {
  let share: FairThread;
  let order: string[];

  const inTurn = (company: string, work: () => void, signal = new AbortController().signal): Promise<void> =>
    share.inTurn(company, MANY_BYTES, work, { signal, maxWaitMs: 1_000 });

  /** Makes the company wait longer than the maximum. */
  const exhaust = (company: string): void => {
    share.read('somebody else', 10, reading(1));
    share.read(company, 10, reading(2_000));
    share.read('somebody else', 10, reading(1));
  };

  const hold = (company: string, name: string): (() => void) => share.hold(company, () => order.push(name));

  beforeEach(() => {
    vi.useFakeTimers();
    share = new FairThread(loadOf(0));
    order = [];
  });

  afterEach(() => vi.useRealTimers());

  it('has answers pause of which much was read in a row, and go on in the next round', () => {
    expect(share.read('a', 60_000, reading(3))).toBe(true);
    expect(share.read('a', 60_000, reading(3))).toBe(false);
    hold('a', 'first');
    expect(order).toEqual([]);
    vi.advanceTimersByTime(0);
    expect(order).toEqual(['first']);
    vi.advanceTimersByTime(1);
    expect(share.read('a', 60_000, reading(3))).toBe(true);
  });

  it('has a company wait that sends more than 25 MB a second, while others are served', () => {
    const MB = 1_000_000;
    expect(share.receive('a', 100 * MB)).toBe(true);
    vi.advanceTimersByTime(10_000);
    share.serve('b');
    expect(share.receive('a', 4 * MB)).toBe(true);
    expect(share.receive('a', 3.5 * MB)).toBe(false);
    expect(share.receive('b', MB)).toBe(true);
    hold('a', 'goes on');
    vi.advanceTimersByTime(99);
    expect(order).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(order).toEqual(['goes on']);
  });

  it('has large answers wait for those that were sent before, and small ones not', async () => {
    const MB = 1_000_000;
    share.serve('b');
    expect(share.transfer('a', 10 * MB)).toBeNull();
    const send = (name: string): Promise<unknown> | undefined =>
      share.transfer('a', 10 * MB)?.then(() => order.push(name));
    const all = [send('second'), send('third')];
    expect(share.transfer('a', 1_000)).toBeNull();
    expect(share.transfer('b', MB)).toBeNull();
    await vi.advanceTimersByTimeAsync(199);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(order).toEqual(['second']);
    await vi.advanceTimersByTimeAsync(399);
    expect(order).toEqual(['second']);
    await vi.advanceTimersByTimeAsync(2);
    await Promise.all(all);
    expect(order).toEqual(['second', 'third']);
  });

  it('sends large answers with pauses between them, though all have waited long enough', async () => {
    const MB = 1_000_000;
    share.serve('b');
    share.transfer('a', 100 * MB);
    const gaps: number[] = [];
    let sentAt = performance.now();
    const all = Array.from({ length: 3 }, async () => {
      await share.transfer('a', 4 * MB);
      gaps.push(performance.now() - sentAt);
      sentAt = performance.now();
    });
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(gaps).toEqual([2_000, 40, 40]);
  });

  it('lets one at a time go on, of each company in its turn', () => {
    for (const name of ['a1', 'a2', 'a3']) hold('a', name);
    hold('b', 'b1');
    for (let round = 0; round < 4; round += 1) vi.advanceTimersToNextTimer();
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('reads what has come as a whole one in a round, of each company in its turn', async () => {
    const read = (company: string, name: string): Promise<void> =>
      inTurn(company, () => {
        order.push(name);
        vi.advanceTimersByTime(3);
      });
    const all = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1')];
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('has a company wait with what has come that took more than its part, also with what failed', async () => {
    const failed = inTurn('a', () => {
      vi.advanceTimersByTime(200);
      throw new Error('no JSON');
    });
    const refused = failed.catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await refused).toEqual(new Error('no JSON'));
    share.read('b', 10, reading(1));
    const waiting = inTurn('a', () => void order.push('a'));
    await vi.advanceTimersByTimeAsync(100);
    expect(order).toEqual([]);
    await vi.runAllTimersAsync();
    await waiting;
    expect(order).toEqual(['a']);
  });

  it('reads few bytes at once, whoever reads others', async () => {
    share.read('somebody else', 60_000, reading(1));
    const few = { signal: new AbortController().signal, maxWaitMs: 1_000 };
    expect(await share.inTurn('a', 10, () => 'few', few)).toBe('few');
  });

  it('reads after the longest wait, whoever’s turn it is', async () => {
    exhaust('a');
    const many = inTurn('a', () => void order.push('many'));
    await vi.advanceTimersByTimeAsync(999);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(1);
    await many;
    expect(order).toEqual(['many']);
    expect(vi.getTimerCount()).toBe(1);
    await vi.runAllTimersAsync();
    expect(order).toEqual(['many']);
  });

  it('has those that have waited long enough read in a round each', async () => {
    vi.useRealTimers();
    const busyUntil = performance.now() + 300;
    share.read('b', 10, () => undefined);
    share.read('a', 10, () => {
      while (performance.now() < busyUntil);
    });
    share.read('b', 10, () => undefined);
    let round = 0;
    const rounds = new Set<number>();
    const { signal } = new AbortController();
    const all = [1, 1, 0].map((maxWaitMs) =>
      share.inTurn('a', 10, () => rounds.add(round), { signal, maxWaitMs }),
    );
    const count = (): void => {
      round += 1;
      if (rounds.size < 3 && round < 10_000) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(all);
    expect(rounds.size).toBe(3);
  });

  it('lets others have as much of the thread as those that have waited long enough', async () => {
    exhaust('a');
    const gaps: number[] = [];
    let endedAt = performance.now();
    const read = (): Promise<void> =>
      inTurn('a', () => {
        gaps.push(performance.now() - endedAt);
        vi.advanceTimersByTime(20);
        endedAt = performance.now();
      });
    const all = [read(), read(), read()];
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(gaps).toEqual([1_000, 20, 20]);
  });

  it('has a company wait also with little, once it has taken more than its part', async () => {
    exhaust('a');
    const waiting = { signal: new AbortController().signal, maxWaitMs: 1_000 };
    const little = share.inTurn('a', 0, () => void order.push('little'), waiting);
    await vi.advanceTimersByTimeAsync(999);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(1);
    await little;
    expect(order).toEqual(['little']);
  });

  describe('for what others read', () => {
    // Measuring ends with the round of the event loop, which fake timers would include.
    beforeEach(() => vi.useRealTimers());

    const admit = (company: string, bytes = 10, signal = new AbortController().signal): Promise<unknown> =>
      share.admit(company, bytes, { signal, maxWaitMs: 1_000 }).then(() => order.push(company));
    const busyFor = (ms: number): void => {
      for (const end = performance.now() + ms; performance.now() < end;);
    };
    const nextRound = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

    it('has a company wait that took more than its part, and the others not', async () => {
      share.read('b', 10, () => undefined);
      await admit('a');
      busyFor(200);
      await nextRound();
      await Promise.all([admit('a'), admit('b')]);
      expect(order).toEqual(['a', 'b', 'a']);
    });

    it('times each one’s own reading, and nothing of what the next one does', async () => {
      share.read('c', 10, () => undefined);
      await admit('a');
      share.read('b', 10, () => busyFor(200));
      await nextRound();
      await Promise.all([admit('b'), admit('a')]);
      expect(order).toEqual(['a', 'a', 'b']);
    });

    it('lets many bytes pass in a later round, and drops what is called off', async () => {
      const leaving = new AbortController();
      const many = admit('a', MANY_BYTES);
      const left = admit('b', MANY_BYTES, leaving.signal);
      leaving.abort(new Error('The turn is over.'));
      await expect(left).rejects.toThrow('The turn is over.');
      expect(order).toEqual([]);
      await many;
      expect(order).toEqual(['a']);
    });
  });

  it('drops what waits when it is called off', async () => {
    exhaust('a');
    const leaving = new AbortController();
    const waiting = inTurn('a', () => void order.push('a'), leaving.signal);
    leaving.abort(new Error('The turn is over.'));
    await expect(waiting).rejects.toThrow('The turn is over.');
    await vi.runAllTimersAsync();
    expect(order).toEqual([]);
  });

  it('forgets what was called off', () => {
    const callOff = hold('a', 'a1');
    hold('a', 'a2');
    callOff();
    vi.runAllTimers();
    expect(order).toEqual(['a2']);
  });

  it('leaves a company that reads alone all of it', () => {
    for (let count = 0; count < 100; count += 1) {
      expect(share.read('a', 10, reading(3))).toBe(true);
      vi.advanceTimersByTime(1);
    }
  });

  it('has a company wait that took more than its part while others read, and them not', () => {
    share.read('b', 10, reading(1));
    for (let count = 0; count < 100; count += 1) share.read('a', 10, reading(1));
    vi.advanceTimersByTime(1);
    expect(share.read('a', 10, reading(1))).toBe(false);
    hold('a', 'a1');
    expect(share.read('b', 10, reading(1))).toBe(true);
    hold('b', 'b1');
    vi.advanceTimersByTime(10);
    expect(order).toEqual(['b1']);
    vi.advanceTimersByTime(400);
    expect(order).toEqual(['b1', 'a1']);
  });

  describe('for operations', () => {
    const enter = (company: string): Promise<unknown> =>
      share.whenFree(company).then(() => order.push(company));

    /** Both are served, and `a` works for 40 ms of each 100 ms, for a second. */
    const work = (utilization: number): void => {
      share = new FairThread(loadOf(utilization));
      share.serve('a');
      share.serve('b');
      for (let window = 0; window < 10; window += 1) {
        vi.advanceTimersByTime(100);
        share.charge('a', 40);
        share.charge('b', 1);
      }
    };

    it('has a company wait that takes more than its part of a busy thread, and the others not', async () => {
      work(0.95);
      const all = [enter('a'), enter('b')];
      await vi.advanceTimersByTimeAsync(1);
      expect(order).toEqual(['b']);
      await vi.advanceTimersByTimeAsync(2_100);
      await Promise.all(all);
      expect(order).toEqual(['b', 'a']);
    });

    it('has nobody wait while the thread rests enough', async () => {
      work(0.6);
      await Promise.all([enter('a'), enter('b')]);
      expect(order).toEqual(['a', 'b']);
    });

    it('has nobody wait who is served alone, whatever is done for others', async () => {
      share = new FairThread(loadOf(1));
      for (let window = 0; window < 10; window += 1) {
        vi.advanceTimersByTime(100);
        share.serve('a');
        share.charge('a', 90);
        share.charge('b', 1);
      }
      await enter('a');
      expect(order).toEqual(['a']);
    });
  });
});
