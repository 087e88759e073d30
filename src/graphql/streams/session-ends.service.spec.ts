import { atExpiry } from './session-ends.service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
function inDays(days: number): Date {
  return new Date(Date.now() + days * DAY_MS);
}

describe('atExpiry', () => {
  const act = vi.fn<() => void>();

  beforeEach(() => {
    vi.useFakeTimers();
    act.mockClear();
  });
  afterEach(() => vi.useRealTimers());

  it('acts when the token ends and not before', () => {
    atExpiry(inDays(1), act);
    vi.advanceTimersByTime(DAY_MS - 1);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('waits longer than a timer can', () => {
    atExpiry(inDays(60), act);
    vi.advanceTimersByTime(60 * DAY_MS - 1);
    expect(act).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('acts at once for a token that has ended meanwhile', () => {
    atExpiry(inDays(-1), act);
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer behind for who is gone, however often the timer was set', () => {
    const stop = atExpiry(inDays(60), act);
    vi.advanceTimersByTime(30 * DAY_MS);
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  });

  it('sets no end to what has none', () => {
    atExpiry(null, act)();
    expect(vi.getTimerCount()).toBe(0);
    expect(act).not.toHaveBeenCalled();
  });
});
