import { DomainError } from '../common/errors/domain-error.js';
import { FailedSignIns, MAX_FAILED_SIGN_INS_PER_MINUTE } from './sign-in.service.js';

const refusal = new DomainError('UNAUTHENTICATED', 'The token has expired.');

describe('FailedSignIns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const use = async (failures: FailedSignIns, address: string): Promise<void> => {
    for (let time = 0; time < MAX_FAILED_SIGN_INS_PER_MINUTE; time += 1) {
      await failures.count(address, refusal);
    }
  };

  it('are refused beyond the limit, with why the token is bad, until the minute is over', async () => {
    const failures = new FailedSignIns();
    await use(failures, '192.0.2.1');
    await expect(failures.count('192.0.2.1', refusal)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringMatching(/^The token has expired\. Too many bad tokens .* in 60 s\.$/),
      extensions: { retryAfter: 60, limit: 600 },
    });
    await failures.count('192.0.2.2', refusal);
    vi.advanceTimersByTime(60_000);
    await use(failures, '192.0.2.1');
  });

  it('are counted together for all addresses that one IPv6 client can give itself', async () => {
    const failures = new FailedSignIns();
    await use(failures, '2001:db8:1:2::1');
    await expect(failures.count('2001:db8:1:2:ffff::9', refusal)).rejects.toThrow('Too many bad tokens');
  });

  it('of however many addresses take a bounded memory', async () => {
    const failures = new FailedSignIns();
    for (let index = 0; index < 200_000; index += 1) await failures.count(`address ${index}`, refusal);
    expect(vi.getTimerCount()).toBeLessThanOrEqual(2 ** 16);
  });
});
