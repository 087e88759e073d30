import { fairThread } from '@palabre/async';

import type { Viewer } from '../../companies/auth/viewer.js';
import type { Config } from '../../common/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { MAX_WAITING } from './fair-queue.js';
import {
  ConcurrencyLimiter,
  MAX_ANONYMOUS_OPERATIONS_PER_MINUTE,
  MAX_HANDSHAKES,
  UsageLimits,
} from './usage-limits.service.js';

function viewerOf(id: string, companyId = 'demo'): Viewer {
  return {
    id,
    companyId,
    role: 'MEMBER',
    name: id,
    email: null,
    scopes: null,
    expiresAt: null,
  };
}

function limitsOf(limit: number): UsageLimits {
  const limits = {
    operationsPerMinute: limit,
    threadMsPerMinute: limit,
    sockets: limit,
    subscriptions: limit,
  };
  return new UsageLimits({ limits } as Config, new Metrics());
}

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

describe('the time of the thread', () => {
  it('is limited for a member, however few operations took it, and for nobody else by that', async () => {
    const limits = limitsOf(100);
    limits.addThreadTime(ada, 1);
    await limits.countOperation(ada);
    limits.addThreadTime(ada, 99);
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^Your operations have kept the server busy for 100 ms .* in 60 s\.$/),
      extensions: { retryAfter: 60, limit: 100 },
    });
    await limits.countOperation(others[0]!);
    await limits.countOperation(stranger);
  });

  it('is limited for a company to five times as much', async () => {
    const limits = limitsOf(100);
    for (const other of others) limits.addThreadTime(other, 100);
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      message: expect.stringMatching(/^Your company’s operations have kept the server busy for 500 ms /),
      extensions: { retryAfter: 60, limit: 500 },
    });
    await limits.countOperation(stranger);
  });

  it('is what work takes, also that which fails', async () => {
    const limits = limitsOf(1);
    const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(1);
    expect(() =>
      limits.measure(ada, () => {
        throw new Error('No');
      }),
    ).toThrow('No');
    now.mockRestore();
    await expect(limits.checkThreadTime(ada)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('operations that wait', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are limited for a member, who is told how many may wait', async () => {
    const limits = limitsOf(10_000);
    limits.addThreadTime(ada, 5_000);
    for (let waiting = 0; waiting < MAX_WAITING; waiting += 1) void limits.countOperation(ada);
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining(`${MAX_WAITING} operations`),
      extensions: { retryAfter: 1, limit: MAX_WAITING },
    });
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

describe('sockets', () => {
  it('are limited for a member until one is closed, apart from subscriptions', () => {
    const limits = limitsOf(1);
    limits.takeSubscription(ada);
    const close = limits.takeSocket(ada);
    expect(limits.takeSocket(ada)).toBeNull();
    expect(limits.takeSocket(others[0]!)).not.toBeNull();
    close!();
    close!();
    expect(limits.takeSocket(ada)).not.toBeNull();
    expect(limits.takeSocket(ada)).toBeNull();
  });

  it('take ten messages for each operation of a member, on all of them together', async () => {
    const limits = limitsOf(1);
    const counted = await Promise.all(Array.from({ length: 11 }, () => limits.countMessage(ada)));
    expect(counted).toEqual([...Array(10).fill(true), false]);
    expect(await limits.countMessage(others[0]!)).toBe(true);
  });

  it('of nobody known yet are limited for a network, until one is known or closed', () => {
    const limits = limitsOf(1);
    const [first] = Array.from({ length: MAX_HANDSHAKES }, () => limits.takeHandshake('2001:db8:1:2::1'));
    expect(limits.takeHandshake('2001:db8:1:2:ffff::9')).toBeNull();
    expect(limits.takeHandshake('192.0.2.1')).not.toBeNull();
    first!();
    first!();
    expect(limits.takeHandshake('2001:db8:1:2::1')).not.toBeNull();
    expect(limits.takeHandshake('2001:db8:1:2::1')).toBeNull();
  });
});

describe('ConcurrencyLimiter', () => {
  it('remembers nobody who has none', () => {
    const places = new ConcurrencyLimiter();
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

describe('what the server sends by itself', () => {
  it('waits where another company is served as well, and nobody is refused for it', async () => {
    const limits = limitsOf(6_000);
    const pace = limits.eventPace(ada);
    limits.addThreadTime(stranger, 1);
    expect(pace.isFree()).toBe(true);
    for (let sent = 0; sent < 100; sent += 1) pace.spent(0.25);
    expect(pace.isFree()).toBe(false);
    expect(limits.eventPace(stranger).isFree()).toBe(true);
    await pace.whenFree();
    expect(pace.isFree()).toBe(true);
    pace.spent(6_000);
    await limits.checkThreadTime(ada);
  });
});

describe('what a company reads from outside', () => {
  it('has its operations wait until the thread is free for it, up to a number', async () => {
    const limits = limitsOf(60_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.spyOn(fairThread, 'isFree').mockImplementation((company) => company !== ada.companyId);
    vi.spyOn(fairThread, 'whenFree').mockReturnValue(promise);
    const order: string[] = [];
    const waiting = Array.from({ length: MAX_WAITING }, () =>
      limits.countOperation(ada).then(() => order.push('ada')),
    );
    await limits.countOperation(stranger).then(() => order.push('zoe'));
    await expect(limits.countOperation(ada)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^100 operations wait for others of yours/),
    });
    const colleague = limits.countOperation(others[0]!).then(() => order.push('colleague'));
    expect(order).toEqual(['zoe']);
    resolve();
    await Promise.all([...waiting, colleague]);
    expect(order).toHaveLength(MAX_WAITING + 2);
    vi.restoreAllMocks();
  });

  it('is not alone where another company sends operations, although that one reads nothing', () => {
    const serve = vi.spyOn(fairThread, 'serve');
    limitsOf(6_000).addThreadTime(stranger, 1);
    expect(serve).toHaveBeenCalledWith(stranger.companyId);
    serve.mockRestore();
  });
});
