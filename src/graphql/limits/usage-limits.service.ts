import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Config } from '../../common/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { MinuteCounter, bucketOf, networkOf } from './minute-counter.js';
import { FairQueue } from './fair-queue.js';

/** A company's limit as a multiple of a member's. */
const MEMBERS_SHARES = 5;

/** The retry time in seconds when there are too many subscriptions: nobody knows when one will end. */
const SUBSCRIPTION_RETRY_SECONDS = 5;

/** Of somebody not signed in, who is shown the schema and nothing else: tools ask for it now and then. */
export const MAX_ANONYMOUS_OPERATIONS_PER_MINUTE = 300;

/** Of the thread, for somebody not signed in. */
const ANONYMOUS_SHARE = 0.25;

const MINUTE_MS = 60_000;
/** What a member may use in a minute, in a part of it: others wait for no more of the thread than this at a time. */
const MEMBER_BURST_FACTOR = 2.5;

/** Messages of a socket for each operation that a member may begin: to end it, and to ask whether the server is there. */
const MESSAGES_PER_OPERATION = 10;

/** Sockets of one network that nobody has signed in on. Behind a proxy all have one address, and come back together. */
export const MAX_HANDSHAKES = 1_000;

/** How much members and companies may ask of this process, on all transports together, and others over HTTP. */
@Injectable()
export class UsageLimits {
  private readonly operations: Shares;
  private readonly threadMs: Shares;
  private readonly memberQueue: FairQueue;
  private readonly companyQueue: FairQueue;
  private readonly anonymousQueue = new FairQueue(ANONYMOUS_SHARE);
  private readonly messages: MinuteCounter;
  /** By the network that they came from. */
  private readonly anonymous = new MinuteCounter(MAX_ANONYMOUS_OPERATIONS_PER_MINUTE);
  /** By the ids of members and of companies alike: they are never the same. */
  private readonly subscriptions = new ConcurrencyLimiter();
  private readonly sockets = new ConcurrencyLimiter();
  /** By the network that they came from. */
  private readonly handshakes = new ConcurrencyLimiter();
  private underWay = 0;

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.watch('palabre_subscriptions', 'Subscriptions under way.', [], () => this.underWay);
    this.operations = sharesOf(config.limits.operationsPerMinute);
    this.threadMs = sharesOf(config.limits.threadMsPerMinute);
    const { member, company } = this.threadMs;
    this.memberQueue = new FairQueue((member.limit / MINUTE_MS) * MEMBER_BURST_FACTOR);
    this.companyQueue = new FairQueue(company.limit / MINUTE_MS);
    this.messages = new MinuteCounter(config.limits.operationsPerMinute * MESSAGES_PER_OPERATION);
  }

  /**
   * Resolves when it is the operation's turn. Rejects with RATE_LIMITED, in `retryAfter` seconds to be tried again, when
   * there were too many in this minute, or too many wait.
   */
  async countOperation(viewer: Viewer): Promise<void> {
    await this.checkThreadTime(viewer);
    const { id, companyId } = viewer;
    const { member, company } = this.operations;
    const memberWaits = await member.count(id);
    if (memberWaits !== null) throw tooManyOperations('You have', member.limit, memberWaits);
    const companyWaits = await company.count(companyId);
    if (companyWaits === null) return this.waitForTurn(viewer);
    // The refusal is the company's, so it does not count for the member.
    await member.forgive(id);
    throw tooManyOperations('Your company has', company.limit, companyWaits);
  }

  private async waitForTurn({ id, companyId }: Viewer): Promise<void> {
    if (!(await this.memberQueue.enter(id))) throw tooManyWaiting('yours');
    if (!(await this.companyQueue.enter(companyId))) throw tooManyWaiting('your company’s');
  }

  /** Rejects with RATE_LIMITED when their operations have kept the thread busy for too long in this minute. */
  async checkThreadTime({ id, companyId }: Viewer): Promise<void> {
    const { member, company } = this.threadMs;
    const memberWaits = await member.wait(id);
    if (memberWaits !== null) throw tooMuchWork('Your operations have', member.limit, memberWaits);
    const companyWaits = await company.wait(companyId);
    if (companyWaits !== null)
      throw tooMuchWork('Your company’s operations have', company.limit, companyWaits);
  }

  /** Counts milliseconds for which everybody else has waited for what somebody asked. */
  addThreadTime({ id, companyId }: Viewer, ms: number): void {
    void this.threadMs.member.add(id, ms);
    void this.threadMs.company.add(companyId, ms);
    this.memberQueue.spend(id, ms);
    this.companyQueue.spend(companyId, ms);
  }

  /** The same for somebody not signed in. */
  addAnonymousTime(address: string, ms: number): void {
    this.anonymousQueue.spend(bucketOf(address), ms);
  }

  /** Does `work`, and counts the time that it takes. */
  measure<Result>(viewer: Viewer, work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.addThreadTime(viewer, performance.now() - startedAt);
    }
  }

  /** False: there were too many in this minute on all of a member's sockets together. */
  async countMessage({ id }: Viewer): Promise<boolean> {
    return (await this.messages.count(id)) === null;
  }

  /** Rejects with RATE_LIMITED when too many operations without a token came from the network of `address`. */
  async countAnonymousOperation(address: string): Promise<void> {
    const { limit } = this.anonymous;
    const bucket = bucketOf(address);
    const retryAfter = await this.anonymous.count(bucket);
    if (retryAfter === null) {
      if (!(await this.anonymousQueue.enter(bucket))) throw tooManyWaiting('of this address');
      return;
    }
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
  takeSubscription(viewer: Viewer): () => void {
    const { subscriptions: limit } = this.config.limits;
    const taken = takePlaces(this.subscriptions, viewer, limit);
    if ('fullOf' in taken) throw tooManySubscriptions(taken.fullOf, limit);
    this.underWay += 1;
    return once(() => {
      this.underWay -= 1;
      taken.giveBack();
    });
  }

  /** The same for an open socket; null when there are too many. */
  takeSocket(viewer: Viewer): (() => void) | null {
    const taken = takePlaces(this.sockets, viewer, this.config.limits.sockets);
    return 'fullOf' in taken ? null : once(taken.giveBack);
  }

  /** The same for a socket whose client is not known yet; null when too many came from the network of `address`. */
  takeHandshake(address: string): (() => void) | null {
    const network = networkOf(address);
    if (!this.handshakes.take(network, MAX_HANDSHAKES)) return null;
    return once(() => this.handshakes.giveBack(network));
  }
}

/** How much a member may have in a minute, and how much a company. */
interface Shares {
  member: MinuteCounter;
  company: MinuteCounter;
}

function sharesOf(limit: number): Shares {
  return {
    member: new MinuteCounter(limit),
    company: new MinuteCounter(limit * MEMBERS_SHARES),
  };
}

type Taken = { giveBack: () => void } | { fullOf: 'member' | 'company' };

function takePlaces(places: ConcurrencyLimiter, { id, companyId }: Viewer, limit: number): Taken {
  if (!places.take(id, limit)) return { fullOf: 'member' };
  if (!places.take(companyId, limit * MEMBERS_SHARES)) {
    places.giveBack(id);
    return { fullOf: 'company' };
  }
  return {
    giveBack: () => {
      places.giveBack(id);
      places.giveBack(companyId);
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

function tooManyOperations(who: string, limit: number, retryAfter: number): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    `${who} sent ${limit} operations within a minute, which is the limit. Go on in ${retryAfter} s.`,
    { retryAfter, limit },
  );
}

function tooManyWaiting(whose: string): DomainError {
  const message = `Too many operations wait for others of ${whose}. Send fewer at the same time, or go on in 1 s.`;
  return new DomainError('RATE_LIMITED', message, { retryAfter: 1 });
}

function tooMuchWork(whose: string, limit: number, retryAfter: number): DomainError {
  return new DomainError(
    'RATE_LIMITED',
    `${whose} kept the server busy for ${limit} ms within a minute, which is the limit. Ask for less, or go on in ${retryAfter} s.`,
    { retryAfter, limit },
  );
}

function tooManySubscriptions(fullOf: 'member' | 'company', memberLimit: number): DomainError {
  const limit = fullOf === 'member' ? memberLimit : memberLimit * MEMBERS_SHARES;
  const who = fullOf === 'member' ? 'You have' : 'Your company has';
  return new DomainError(
    'RATE_LIMITED',
    `${who} ${limit} subscriptions under way, which is the limit. End those that are no longer needed.`,
    { retryAfter: SUBSCRIPTION_RETRY_SECONDS, limit },
  );
}

/** How many places each key has taken. A key that has none is forgotten. */
export class ConcurrencyLimiter {
  private readonly taken = new Map<string, number>();

  /** False: `key` has `limit` places already. */
  take(key: string, limit: number): boolean {
    const taken = this.taken.get(key) ?? 0;
    if (taken >= limit) return false;
    this.taken.set(key, taken + 1);
    return true;
  }

  giveBack(key: string): void {
    const left = (this.taken.get(key) ?? 0) - 1;
    if (left > 0) this.taken.set(key, left);
    else this.taken.delete(key);
  }

  /** Keys that have a place. */
  get keys(): number {
    return this.taken.size;
  }
}
