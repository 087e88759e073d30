import { jest } from '@jest/globals';

import { MinuteCounter } from './minute-counter.js';

describe('MinuteCounter', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const countOf = async (counter: MinuteCounter, times: number): Promise<(number | null)[]> => {
    const answers: (number | null)[] = [];
    for (let time = 0; time < times; time += 1) answers.push(await counter.count('ada'));
    return answers;
  };

  it('lets the limit pass, and then says how long to wait', async () => {
    const counter = new MinuteCounter(2);
    expect(await countOf(counter, 4)).toEqual([null, null, 60, 60]);
  });

  it('says the time that is left, in whole seconds and never none', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    jest.advanceTimersByTime(20_500);
    expect(await counter.count('ada')).toBe(40);
    jest.advanceTimersByTime(39_499);
    expect(await counter.count('ada')).toBe(1);
  });

  it('begins anew when the minute is over, however often it was asked meanwhile', async () => {
    const counter = new MinuteCounter(2);
    expect(await countOf(counter, 100)).toContain(60);
    jest.advanceTimersByTime(60_000);
    expect(await countOf(counter, 3)).toEqual([null, null, 60]);
  });

  it('forgets a key with its minute', async () => {
    const counter = new MinuteCounter(2);
    await counter.count('ada');
    await counter.count('grace');
    expect(jest.getTimerCount()).toBe(2);
    jest.advanceTimersByTime(60_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('counts each key by itself', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    expect(await counter.count('grace')).toBeNull();
    expect(await counter.count('ada')).toBe(60);
  });

  it('takes a count back', async () => {
    const counter = new MinuteCounter(1);
    await counter.count('ada');
    await counter.forgive('ada');
    expect(await countOf(counter, 2)).toEqual([null, 60]);
  });
});
