import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE_SECONDS = 60;

/** Counts in minutes, each key's beginning with its first count. A key is forgotten when its minute is over. */
export class MinuteCounter {
  private readonly counts: RateLimiterMemory;

  constructor(readonly limit: number) {
    this.counts = new RateLimiterMemory({ points: limit, duration: MINUTE_SECONDS });
  }

  /** Null while `key` is within the limit; then the whole seconds, at least 1, until its minute is over. */
  count(key: string): Promise<number | null> {
    return this.counts.consume(key).then(
      () => null,
      ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000)),
    );
  }

  /** Takes one count back. */
  async forgive(key: string): Promise<void> {
    await this.counts.reward(key);
  }
}
