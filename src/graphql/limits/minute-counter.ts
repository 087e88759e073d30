import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { hash } from 'node:crypto';

const MINUTE_SECONDS = 60;

/** Counts in minutes, each key's beginning with its first count. A key is forgotten when its minute is over. */
export class MinuteCounter {
  private readonly counts: RateLimiterMemory;

  constructor(readonly limit: number) {
    this.counts = new RateLimiterMemory({ points: limit, duration: MINUTE_SECONDS });
  }

  /** Null while `key` is within the limit; then the whole seconds, at least 1, until its minute is over. */
  count(key: string): Promise<number | null> {
    return this.counts.consume(key).then(() => null, secondsLeft);
  }

  /** Counts what has been used already, be it more than there was. */
  async add(key: string, points: number): Promise<void> {
    await this.counts.penalty(key, points);
  }

  /** Null unless `key` has used up its limit; then the whole seconds until its minute is over. Counts nothing. */
  async wait(key: string): Promise<number | null> {
    const counted = await this.counts.get(key);
    return counted !== null && counted.consumedPoints >= this.limit ? secondsLeft(counted) : null;
  }

  /** Takes one count back. */
  async forgive(key: string): Promise<void> {
    await this.counts.reward(key);
  }
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

/** One of 65,536, so that no crowd of addresses fills the memory of what counts them. */
export function bucketOf(address: string): string {
  return hash('sha256', networkOf(address)).slice(0, 4);
}

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The address itself in IPv4. In IPv6 the first half: the other one is the client's own to choose. */
export function networkOf(address: string): string {
  // IPv4 as a socket for both kinds tells it: ::ffff:192.0.2.1
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = address.includes('::') ? IPV6_GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail];
  return groups.slice(0, NETWORK_GROUPS).join(':');
}
