import { jest } from '@jest/globals';

import { atExpiry } from './token-expiry.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

describe('atExpiry', () => {
  const act = jest.fn();

  beforeEach(() => {
    jest.useFakeTimers();
    act.mockClear();
  });
  afterEach(() => jest.useRealTimers());

  it('acts when the token ends and not before', () => {
    atExpiry(inDays(1), act);
    jest.advanceTimersByTime(DAY_MS - 1);
    expect(act).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('waits longer than a timer can', () => {
    atExpiry(inDays(60), act);
    jest.advanceTimersByTime(60 * DAY_MS - 1);
    expect(act).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('acts at once for a token that has ended meanwhile', () => {
    atExpiry(inDays(-1), act);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer behind for who is gone, however often the timer was set', () => {
    const stop = atExpiry(inDays(60), act);
    jest.advanceTimersByTime(30 * DAY_MS);
    expect(jest.getTimerCount()).toBe(1);
    stop();
    expect(jest.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  });

  it('sets no end to what has none', () => {
    atExpiry(null, act)();
    expect(jest.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  });
});
