import type { Viewer } from '../../auth/viewer.js';
import type { Config } from '../../config/config.js';
import { Metrics } from '../../metrics/metrics.js';
import { Places } from './places.js';
import { MAX_ANONYMOUS_OPERATIONS_PER_MINUTE, UsageLimits } from './usage-limits.service.js';

const viewerOf = (id: string, companyId = 'demo'): Viewer => ({
  id,
  companyId,
  role: 'MEMBER',
  name: id,
  email: null,
  expiresAt: null,
});

const limitsOf = (limit: number): UsageLimits =>
  new UsageLimits({ limits: { operationsPerMinute: limit, subscriptions: limit } } as Config, new Metrics());

const ada = viewerOf('ada');
const others = ['b', 'c', 'd', 'e', 'f'].map((id) => viewerOf(id));
const stranger = viewerOf('zoe', 'elsewhere');

describe('operations', () => {
  const count = async (limits: UsageLimits, viewer: Viewer, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await limits.countOperation(viewer);
  };

  it('are limited for a member, and for nobody else by that', async () => {
    const limits = limitsOf(2);
    await count(limits, ada, 2);
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'You have sent 2 operations within a minute, which is the limit. Go on in 60 s.',
      extensions: { retryAfter: 60, limit: 2 },
    });
    await count(limits, others[0]!, 2);
    await count(limits, stranger, 2);
  });

  it('are limited for a company to five times as many', async () => {
    const limits = limitsOf(2);
    for (const other of others) await count(limits, other, 2);
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Your company has sent 10 operations within a minute, which is the limit. Go on in 60 s.',
      extensions: { retryAfter: 60, limit: 10 },
    });
    await count(limits, stranger, 2);
  });

  it('that the company had no room for are not the member’s', async () => {
    const limits = limitsOf(2);
    for (const other of others) await count(limits, other, 2);
    for (let time = 0; time < 3; time += 1) {
      await expect(limits.countOperation(ada)).rejects.toThrow('Your company has');
    }
  });

  it('that are one member’s too many leave the company its room', async () => {
    const limits = limitsOf(2);
    for (let time = 0; time < 20; time += 1) await limits.countOperation(ada).catch(() => undefined);
    for (const other of others.slice(1)) {
      await expect(count(limits, other, 2)).resolves.toBeUndefined();
    }
  });
});

describe('operations of somebody not signed in', () => {
  const count = async (limits: UsageLimits, address: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await limits.countAnonymousOperation(address);
  };

  it('are limited for a network, and for no other', async () => {
    const limits = limitsOf(2);
    await count(limits, '2001:db8:1:2::1', MAX_ANONYMOUS_OPERATIONS_PER_MINUTE);
    await expect(limits.countAnonymousOperation('2001:db8:1:2:ffff::9')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^300 operations without a token came from this address .* in 60 s\.$/),
      extensions: { retryAfter: 60, limit: 300 },
    });
    await count(limits, '192.0.2.1', 1);
  });

  it('cost members nothing', async () => {
    const limits = limitsOf(2);
    await count(limits, '192.0.2.1', MAX_ANONYMOUS_OPERATIONS_PER_MINUTE);
    await expect(limits.countOperation(ada)).resolves.toBeUndefined();
  });
});

describe('subscriptions', () => {
  const take = (limits: UsageLimits, viewer: Viewer, times: number): (() => void)[] =>
    Array.from({ length: times }, () => limits.takeSubscription(viewer));
  const refusalOf = (limits: UsageLimits, viewer: Viewer): unknown => {
    try {
      limits.takeSubscription(viewer);
    } catch (error) {
      return error;
    }
    return null;
  };

  it('are limited for a member until one ends, and for nobody else by that', () => {
    const limits = limitsOf(2);
    const [release] = take(limits, ada, 2);
    expect(refusalOf(limits, ada)).toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('You have 2 subscriptions under way'),
      extensions: { retryAfter: 5, limit: 2 },
    });
    take(limits, others[0]!, 2);
    take(limits, stranger, 2);
    release!();
    take(limits, ada, 1);
    expect(refusalOf(limits, ada)).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('are limited for a company to five times as many, and a refused one takes nothing', () => {
    const limits = limitsOf(2);
    const releases = others.flatMap((other) => take(limits, other, 2));
    for (let time = 0; time < 3; time += 1) {
      expect(refusalOf(limits, ada)).toMatchObject({
        message: expect.stringContaining('Your company has 10 subscriptions under way'),
        extensions: { retryAfter: 5, limit: 10 },
      });
    }
    releases[0]!();
    releases[1]!();
    take(limits, ada, 2);
  });

  it('give their place back once, however often that is said', () => {
    const limits = limitsOf(2);
    const [first] = take(limits, ada, 2);
    first!();
    first!();
    take(limits, ada, 1);
    expect(refusalOf(limits, ada)).toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('Places', () => {
  it('remembers nobody who has none', () => {
    const places = new Places();
    for (let index = 0; index < 1_000; index += 1) {
      places.take(`member ${index}`, 2);
      places.take(`member ${index}`, 2);
    }
    expect(places.keys).toBe(1_000);
    for (let index = 0; index < 1_000; index += 1) {
      places.giveBack(`member ${index}`);
      places.giveBack(`member ${index}`);
    }
    expect(places.keys).toBe(0);
  });
});
