import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../common/domain-error.js';
import { MinuteCounter } from './minute-counter.js';

export const MAX_FAILED_SIGN_INS_PER_MINUTE = 600;

/**
 * Bad tokens, by the address they came from. Good ones are neither counted nor refused for it: behind a proxy all
 * clients have one address, and anybody could shut the others out.
 */
@Injectable()
export class FailedSignIns {
  private readonly failures = new MinuteCounter(MAX_FAILED_SIGN_INS_PER_MINUTE);

  /** Counts a token that was refused because of `refusal`. Rejects with RATE_LIMITED when there were too many. */
  async count(address: string, refusal: DomainError): Promise<void> {
    const retryAfter = await this.failures.count(bucketOf(address));
    if (retryAfter === null) return;
    throw new DomainError(
      'RATE_LIMITED',
      `${refusal.message} Too many bad tokens came from this address: come with a good one, or in ${retryAfter} s.`,
      { retryAfter, limit: MAX_FAILED_SIGN_INS_PER_MINUTE },
      { cause: refusal },
    );
  }
}

/** One of 65,536, so that no crowd of addresses fills the memory; who shares one loses nothing but bad tokens. */
const bucketOf = (address: string): string => hash('sha256', networkOf(address)).slice(0, 4);

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;

/** The address itself in IPv4. In IPv6 the first half: the other one is the client's own to choose. */
export const networkOf = (address: string): string => {
  // IPv4 as a socket for both kinds tells it: ::ffff:192.0.2.1
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1);
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = address.includes('::') ? IPV6_GROUPS - head.length - tail.length : 0;
  const groups = [...head, ...Array<string>(Math.max(0, zeros)).fill('0'), ...tail];
  return groups.slice(0, NETWORK_GROUPS).join(':');
};
