import { EventShare } from './event-share.js';

describe('EventShare', () => {
  const start = 1_000_000;

  it('lets a company that is served alone use the whole thread', () => {
    const share = new EventShare();
    for (let ms = 0; ms < 1_000; ms += 10) share.spend('a', 10, start + ms);
    expect(share.waitOf('a', start + 1_000)).toBe(0);
  });

  it('holds its events back while another one is served, and no events of the other one', () => {
    const share = new EventShare();
    share.serve('b', start);
    for (let ms = 0; ms < 100; ms += 10) share.spend('a', 10, start + ms);
    const waitMs = share.waitOf('a', start + 100);
    expect(waitMs).toBeGreaterThan(100);
    expect(share.waitOf('b', start + 100)).toBe(0);
    expect(share.waitOf('a', start + 100 + waitMs)).toBe(0);
  });

  it('lets it use the thread again once the other one has been quiet for a while', () => {
    const share = new EventShare();
    share.serve('b', start);
    share.spend('a', 1_000, start + 9_000);
    expect(share.waitOf('a', start + 9_000)).toBeGreaterThan(0);
    expect(share.waitOf('a', start + 10_000)).toBe(0);
  });
});
