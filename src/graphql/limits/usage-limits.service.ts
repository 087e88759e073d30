import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Config } from '../../config/config.js';
import { Metrics } from '../../metrics/metrics.js';
import { MinuteCounter } from './minute-counter.js';
import { bucketOf } from './network.js';
import { Places } from './places.js';

/** What a company may have of what one member may. */
const MEMBERS_SHARES = 5;

/** Nobody can tell when a subscription will end: soon enough for a person, seldom enough for the server. */
const SUBSCRIPTION_RETRY_SECONDS = 5;

/** Of somebody not signed in, who is shown the schema and nothing else: tools ask for it now and then. */
export const MAX_ANONYMOUS_OPERATIONS_PER_MINUTE = 300;

/** How much members and companies may ask of this process, on all transports together, and others over HTTP. */
@Injectable()
export class UsageLimits {
  private readonly operations: { member: MinuteCounter; company: MinuteCounter };
  /** By the network that they came from. */
  private readonly anonymous = new MinuteCounter(MAX_ANONYMOUS_OPERATIONS_PER_MINUTE);
  /** By the ids of members and of companies alike: they are never the same. */
  private readonly subscriptions = new Places();
  private underWay = 0;

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.watch('palabre_subscriptions', 'Subscriptions under way.', [], () => this.underWay);
    const { operationsPerMinute } = config.limits;
    this.operations = {
      member: new MinuteCounter(operationsPerMinute),
      company: new MinuteCounter(operationsPerMinute * MEMBERS_SHARES),
    };
  }

  /** Rejects with RATE_LIMITED, in `retryAfter` seconds to be tried again, when there were too many in this minute. */
  async countOperation({ id, companyId }: Viewer): Promise<void> {
    const { member, company } = this.operations;
    const memberWaits = await member.count(id);
    if (memberWaits !== null) throw tooManyOperations('You have', member.limit, memberWaits);
    const companyWaits = await company.count(companyId);
    if (companyWaits === null) return;
    // What the company's other members used up costs this one nothing.
    await member.forgive(id);
    throw tooManyOperations('Your company has', company.limit, companyWaits);
  }

  /** Rejects with RATE_LIMITED when too many operations without a token came from the network of `address`. */
  async countAnonymousOperation(address: string): Promise<void> {
    const { limit } = this.anonymous;
    const retryAfter = await this.anonymous.count(bucketOf(address));
    if (retryAfter === null) return;
    throw new DomainError(
      'RATE_LIMITED',
      `${limit} operations without a token came from this address within a minute, which is the limit. Sign in, or go on in ${retryAfter} s.`,
      { retryAfter, limit },
    );
  }

  /**
   * Takes a place for a subscription and gives the function that gives it back, which does no harm when called
   * again. Throws RATE_LIMITED when the member or the company has too many under way.
   */
  takeSubscription({ id, companyId }: Viewer): () => void {
    const limit = this.config.limits.subscriptions;
    const companyLimit = limit * MEMBERS_SHARES;
    if (!this.subscriptions.take(id, limit)) throw tooManySubscriptions('You have', limit);
    if (!this.subscriptions.take(companyId, companyLimit)) {
      this.subscriptions.giveBack(id);
      throw tooManySubscriptions('Your company has', companyLimit);
    }
    this.underWay += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.underWay -= 1;
      this.subscriptions.giveBack(id);
      this.subscriptions.giveBack(companyId);
    };
  }
}

const tooManyOperations = (who: string, limit: number, retryAfter: number): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `${who} sent ${limit} operations within a minute, which is the limit. Go on in ${retryAfter} s.`,
    { retryAfter, limit },
  );

const tooManySubscriptions = (who: string, limit: number): DomainError =>
  new DomainError(
    'RATE_LIMITED',
    `${who} ${limit} subscriptions under way, which is the limit. End those that are no longer needed.`,
    { retryAfter: SUBSCRIPTION_RETRY_SECONDS, limit },
  );
