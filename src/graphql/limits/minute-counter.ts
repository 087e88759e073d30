import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { hash } from 'node:crypto';

const MINUTE_SECONDS = 60;

/** Counts per key and minute. A key's minute begins with its first count, and the key is forgotten when it ends. */
export class MinuteCounter {
  private readonly counts: RateLimiterMemory;

  constructor(readonly limit: number) {
    this.counts = new RateLimiterMemory({ points: limit, duration: MINUTE_SECONDS });
  }

  /** Counts one. Null while `key` is within the limit; otherwise the seconds until its minute is over, at least 1. */
  count(key: string): Promise<number | null> {
    return this.counts.consume(key).then(() => null, secondsLeft);
  }

  /** Adds usage, even beyond the limit. */
  async add(key: string, points: number): Promise<void> {
    await this.counts.penalty(key, points);
  }

  /** Null unless `key` has used up its limit; otherwise the seconds until its minute is over. Counts nothing. */
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

/** One of 65,536 buckets, so that counting many addresses does not fill the memory. */
export function bucketOf(address: string): string {
  return hash('sha256', networkOf(address)).slice(0, 4);
}

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The address itself for IPv4. For IPv6 its first half, as clients choose the second. */
export function networkOf(address: string): string {
  // An IPv4 address as a dual-stack socket reports it: ::ffff:192.0.2.1
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = address.includes('::') ? IPV6_GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail];
  return groups.slice(0, NETWORK_GROUPS).join(':');
}
