import { ThreadShare } from './thread-share.js';

describe('a share of the thread', () => {
  const start = 1_000_000;
  let share: ThreadShare;
  beforeEach(() => void (share = new ThreadShare(0.25, 20)));

  it('is all of it for who is served alone', () => {
    for (let ms = 0; ms < 1_000; ms += 10) share.spend('a', 10, start + ms);
    expect(share.waitOf('a', start + 1_000)).toBe(0);
  });

  it('has one wait that took more while another one is served, and the other one not', () => {
    share.serve('b', start);
    for (let ms = 0; ms < 100; ms += 10) share.spend('a', 10, start + ms);
    // 100 ms were used, 25 of the time since then pay off, and 20 are free.
    expect(share.waitOf('a', start + 100)).toBe(4 * (100 - 25 - 20));
    expect(share.waitOf('b', start + 100)).toBe(0);
    expect(share.waitOf('a', start + 100 + 219)).toBe(1);
    expect(share.waitOf('a', start + 100 + 220)).toBe(0);
  });

  it('has nobody wait for hours who was alone for hours', () => {
    const end = start + 3_600_000;
    for (let ms = start; ms <= end; ms += 1_000) share.spend('a', 1_000, ms);
    share.serve('b', end);
    expect(share.waitOf('a', end)).toBe(2_000);
  });

  it('is all of it again once the other one has been quiet for a while', () => {
    share.serve('b', start);
    share.spend('a', 10_000, start + 9_000);
    expect(share.waitOf('a', start + 9_999)).toBeGreaterThan(0);
    expect(share.waitOf('a', start + 10_000)).toBe(0);
  });

  describe('of which one uses much less than another', () => {
    /** Of each 100 ms. */
    const use = (uses: Record<string, number>, windows: number, from = start): number => {
      for (let window = 0; window < windows; window += 1)
        for (const [key, ms] of Object.entries(uses)) share.spend(key, ms, from + window * 100);
      return from + windows * 100;
    };

    it('has the greater one wait alone', () => {
      const now = use({ a: 70, b: 30 }, 30);
      expect(share.waitOf('a', now)).toBeGreaterThan(1_000);
      expect(share.waitOf('b', now)).toBe(0);
    });

    it('has both wait that use about as much', () => {
      const now = use({ a: 70, b: 60 }, 30);
      expect(share.waitOf('a', now)).toBeGreaterThan(1_000);
      expect(share.waitOf('b', now)).toBeGreaterThan(1_000);
    });

    it('has the lesser one owe nothing once the greater one is gone', () => {
      const gone = use({ a: 70, b: 30 }, 30);
      expect(share.waitOf('b', gone + 5_000)).toBe(0);
      const now = use({ b: 30 }, 1, gone + 5_000);
      expect(share.waitOf('b', now)).toBe(0);
    });

    it('has one wait that was the lesser one and goes on as the greatest', () => {
      const gone = use({ a: 70, b: 30 }, 30);
      share.serve('a', gone);
      const now = use({ b: 30 }, 60, gone);
      expect(share.waitOf('b', now)).toBeGreaterThan(0);
    });
  });
});
