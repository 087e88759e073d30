import { FairQueue } from './fair-queue.js';

const SHARE = 0.5;

/** Operations whose turn came, in order. */
let gone: string[];
let pace: FairQueue;

function enter(key: string, name = key): Promise<boolean> {
  return pace.enter(key).then((isIn) => {
    if (isIn) gone.push(name);
    return isIn;
  });
}

function pass(ms: number): Promise<unknown> {
  return vi.advanceTimersByTimeAsync(ms);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] });
  gone = [];
  pace = new FairQueue(SHARE);
});
afterEach(() => vi.useRealTimers());

describe('the thread', () => {
  it('is there at once for who has used little of it', async () => {
    pace.spend('ada', 100);
    await enter('ada');
    expect(gone).toEqual(['ada']);
  });

  it('is there again when what was used is paid off, and for others meanwhile', async () => {
    pace.spend('ada', 1_100);
    void enter('ada', 'first');
    void enter('bob');
    await pass(1_900);
    expect(gone).toEqual(['bob']);
    await pass(101);
    expect(gone).toEqual(['bob', 'first']);
  });

  it('goes from one to the next, each of which waits for what the one before took', async () => {
    for (const name of ['one', 'two', 'three']) {
      void enter('ada', name).then(() => pace.spend('ada', 200));
    }
    await pass(1);
    expect(gone).toEqual(['one']);
    await pass(250);
    expect(gone).toEqual(['one', 'two']);
    await pass(450);
    expect(gone).toEqual(['one', 'two', 'three']);
  });

  it('is there in the same round for what is small, until that adds up', async () => {
    const goOn = (name: string): Promise<unknown> => pace.whenFree('ada').then(() => gone.push(name));
    pace.spend('ada', 5);
    void goOn('small');
    await pass(0);
    pace.spend('ada', 1);
    let isNextRound = false;
    void goOn('after a round').then(() => expect(isNextRound).toBe(true));
    await Promise.resolve();
    expect(gone).toEqual(['small']);
    isNextRound = true;
    await pass(1);
    expect(gone).toEqual(['small', 'after a round']);
    pace.spend('ada', 200);
    void goOn('when paid off');
    await pass(150);
    expect(gone).toHaveLength(2);
    await pass(300);
    expect(gone).toHaveLength(3);
  });

  it('is there in a round for one at a time, of what is small', async () => {
    vi.useRealTimers();
    pace.spend('ada', 60);
    const rounds = new Set<number>();
    let round = 0;
    const all = ['first', 'second', 'third'].map(() => pace.whenFree('ada').then(() => rounds.add(round)));
    while (round < 10) {
      await new Promise((resolve) => setImmediate(resolve));
      round += 1;
    }
    await Promise.all(all);
    expect(rounds.size).toBe(3);
  });

  it('is there after a second for who owes more than that', async () => {
    pace.spend('ada', 60_000);
    void pace.whenFree('ada').then(() => gone.push('ada'));
    await pass(999);
    expect(gone).toEqual([]);
    await pass(2);
    expect(gone).toEqual(['ada']);
  });

  it('is waited for by no more than a hundred', async () => {
    pace.spend('ada', 1_000);
    const waiting = Array.from({ length: 100 }, (_, index) => enter('ada', String(index)));
    expect(await enter('ada', 'one more')).toBe(false);
    await pass(5_000);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    expect(await enter('ada', 'later')).toBe(true);
  });

  it('is nobody’s where there is no share', async () => {
    pace = new FairQueue(1);
    pace.spend('ada', 10_000);
    await enter('ada');
    await pace.whenFree('ada');
    expect(gone).toEqual(['ada']);
  });
});
