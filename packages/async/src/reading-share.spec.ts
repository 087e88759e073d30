import { ReadingShare } from './reading-share.js';

/** Ms that a read takes. */
function reading(ms: number) {
  return (): void => void vi.advanceTimersByTime(ms);
}

describe('the share of the thread that answers are read in', () => {
  let share: ReadingShare;
  let order: string[];

  const hold = (company: string, name: string): (() => void) => share.hold(company, () => order.push(name));

  beforeEach(() => {
    vi.useFakeTimers();
    share = new ReadingShare();
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

  it('lets one at a time go on, of each company in its turn', () => {
    for (const name of ['a1', 'a2', 'a3']) hold('a', name);
    hold('b', 'b1');
    for (let round = 0; round < 4; round += 1) vi.advanceTimersToNextTimer();
    expect(order).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('reads what has come as a whole one in a round, of each company in its turn', async () => {
    const read = (company: string, name: string): Promise<void> =>
      share.inTurn(company, 10, () => {
        order.push(name);
        vi.advanceTimersByTime(3);
      });
    const all = [read('a', 'a1'), read('a', 'a2'), read('b', 'b1')];
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('has a company wait with what has come that took more than its part, also with what failed', async () => {
    const failed = share.inTurn('a', 10, () => {
      vi.advanceTimersByTime(200);
      throw new Error('no JSON');
    });
    const refused = failed.catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    expect(await refused).toEqual(new Error('no JSON'));
    share.read('b', 10, reading(1));
    const waiting = share.inTurn('a', 10, () => order.push('a'));
    await vi.advanceTimersByTimeAsync(100);
    expect(order).toEqual([]);
    await vi.runAllTimersAsync();
    await waiting;
    expect(order).toEqual(['a']);
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
});
