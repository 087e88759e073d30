import { Injectable } from '@nestjs/common';

import { DomainError } from '../../common/errors/domain-error.js';
import { MinuteCounter } from './minute-counter.js';
import { bucketOf } from './network.js';

export const MAX_FAILED_SIGN_INS_PER_MINUTE = 600;

/**
 * Bad tokens, by the address they came from. Good ones are neither counted nor refused for it: behind a proxy all
 * clients have one address, and anybody could shut the others out. Who shares a bucket loses nothing but bad tokens.
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
