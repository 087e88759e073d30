import { Injectable } from '@nestjs/common';
import { fairThread, ThreadShare } from '@palabre/async';

import type { Viewer } from '../../companies/auth/viewer.js';
import { DomainError, rateLimited } from '../../common/errors/domain-error.js';
import { Config } from '../../common/config/config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { MinuteCounter, bucketOf, networkOf } from './minute-counter.js';
import { FairQueue, MAX_WAITING } from './fair-queue.js';

/** A company's limit as a multiple of a member's. */
const MEMBERS_SHARES = 5;

/** The retry time in seconds when there are too many subscriptions, as it is unknown when one ends. */
const SUBSCRIPTION_RETRY_SECONDS = 5;

/** The limit for anonymous clients, who may only see the schema. Tools ask for it now and then. */
export const MAX_ANONYMOUS_OPERATIONS_PER_MINUTE = 300;

const ANONYMOUS_SHARE = 0.25;

const MINUTE_MS = 60_000;
/** How fast a member may use up the thread time of a minute. It limits how long others wait at a time. */
const MEMBER_BURST_FACTOR = 2.5;

/** A company's share of the thread for writing events while others are served. */
const EVENT_SHARE = 0.25;
/** Thousands of events may come at once, for as many subscriptions. */
const EVENT_BURST_MS = 20;

/** Messages per operation on a socket: operations are also ended, and pings are sent. */
const MESSAGES_PER_OPERATION = 10;

/** Before authentication. Behind a proxy all clients have one address, and reconnect together. */
export const MAX_HANDSHAKES = 1_000;

/** Limits what members, companies and anonymous clients may ask of this process, over all transports. */
@Injectable()
export class UsageLimits {
  private readonly operations: Shares;
  private readonly threadMs: Shares;
  private readonly memberQueue: FairQueue;
  private readonly companyQueue: FairQueue;
  private readonly anonymousQueue = new FairQueue(ANONYMOUS_SHARE);
  private readonly messages: MinuteCounter;
  /** By network. */
  private readonly anonymous = new MinuteCounter(MAX_ANONYMOUS_OPERATIONS_PER_MINUTE);
  /** By member id and company id, which never collide. */
  private readonly subscriptions = new ConcurrencyLimiter();
  private readonly sockets = new ConcurrencyLimiter();
  /** By network. */
  private readonly handshakes = new ConcurrencyLimiter();
  /** Operations that wait for the thread, by member and company. */
  private readonly waiting = new ConcurrencyLimiter();
  private underWay = 0;
  /** Thread time of events that the server sends, by company. */
  private readonly events = new ThreadShare(EVENT_SHARE, EVENT_BURST_MS);

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

  /** Resolves at the operation's turn. Rejects with RATE_LIMITED and `retryAfter` in seconds. */
  async countOperation(viewer: Viewer): Promise<void> {
    await this.checkThreadTime(viewer);
    const { id, companyId } = viewer;
    const { member, company } = this.operations;
    const memberWaits = await member.count(id);
    if (memberWaits !== null) throw tooManyOperations('You have', member.limit, memberWaits);
    const companyWaits = await company.count(companyId);
    if (companyWaits === null) return this.waitForTurn(viewer);
    // The company's limit was exceeded, so the operation does not count for the member.
    await member.forgive(id);
    throw tooManyOperations('Your company has', company.limit, companyWaits);
  }

  private async waitForTurn(viewer: Viewer): Promise<void> {
    const { id, companyId } = viewer;
    if (!fairThread.isFree(companyId)) await this.waitForThread(viewer);
    if (!(await this.memberQueue.enter(id))) throw tooManyWaiting('yours');
    if (!(await this.companyQueue.enter(companyId))) throw tooManyWaiting('your company’s');
  }

  private async waitForThread(viewer: Viewer): Promise<void> {
    const taken = takePlaces(this.waiting, viewer, MAX_WAITING);
    if ('fullOf' in taken) throw tooManyWaitForThread(taken.fullOf);
    try {
      await fairThread.whenFree(viewer.companyId);
    } finally {
      taken.giveBack();
    }
  }

  /** Rejects with RATE_LIMITED when the viewer's operations have used too much thread time in this minute. */
  async checkThreadTime({ id, companyId }: Viewer): Promise<void> {
    const { member, company } = this.threadMs;
    // Both at once, so that neither includes the operation's own time.
    const [memberWaits, companyWaits] = await Promise.all([member.wait(id), company.wait(companyId)]);
    if (memberWaits !== null) throw tooMuchWork('Your operations have', member.limit, memberWaits);
    if (companyWaits !== null)
      throw tooMuchWork('Your company’s operations have', company.limit, companyWaits);
  }

  addThreadTime(viewer: Viewer, ms: number): void {
    this.noteThreadTime(viewer, ms);
    fairThread.charge(viewer.companyId, ms);
  }

  /** As `addThreadTime`, for the body of a request. */
  addReadingTime(viewer: Viewer, { readingMs = 0, isReadInTurn = false }: ReadRequest): void {
    if (isReadInTurn) this.noteThreadTime(viewer, readingMs);
    else this.addThreadTime(viewer, readingMs);
  }

  private noteThreadTime({ id, companyId }: Viewer, ms: number): void {
    void this.threadMs.member.add(id, ms);
    void this.threadMs.company.add(companyId, ms);
    this.memberQueue.spend(id, ms);
    this.companyQueue.spend(companyId, ms);
    this.events.serve(companyId);
    fairThread.serve(companyId);
  }

  addAnonymousTime(address: string, ms: number): void {
    this.anonymousQueue.spend(bucketOf(address), ms);
  }

  /** The pace of events that the server sends. A company that is served alone has no limit. */
  eventPace({ companyId }: Viewer): EventPace {
    const { events } = this;
    return {
      spent: (ms) => events.spend(companyId, ms),
      send: (text) => fairThread.transfer(companyId, Buffer.byteLength(text)),
      isFree: () => events.waitOf(companyId) === 0,
      whenFree: async () => {
        // Other events of the company may have been sent meanwhile.
        for (let ms = events.waitOf(companyId); ms > 0; ms = events.waitOf(companyId))
          await new Promise((resolve) => setTimeout(resolve, ms));
      },
    };
  }

  measure<Result>(viewer: Viewer, work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.addThreadTime(viewer, performance.now() - startedAt);
    }
  }

  /** Resolves when a message may be read: the member and, if it is a large one, the company owe no thread time. */
  async whenMayRead({ id, companyId }: Viewer, bytes: number): Promise<void> {
    await this.memberQueue.whenFree(id);
    await fairThread.transfer(companyId, bytes);
  }

  /** False: there were too many messages in this minute on all sockets of the member. */
  async countMessage({ id }: Viewer): Promise<boolean> {
    return (await this.messages.count(id)) === null;
  }

  /** Rejects with RATE_LIMITED when there were too many operations without a token from the network of `address`. */
  async countAnonymousOperation(address: string): Promise<void> {
    const { limit } = this.anonymous;
    const bucket = bucketOf(address);
    const retryAfter = await this.anonymous.count(bucket);
    if (retryAfter === null) {
      if (!(await this.anonymousQueue.enter(bucket))) throw tooManyWaiting('of this address');
      return;
    }
    throw rateLimited(
      `${limit} operations without a token came from this address within a minute, which is the limit. Sign in, or go on in ${retryAfter} s.`,
      { retryAfter, limit },
    );
  }

  /** Returns the function that releases the place; a second call does nothing. Throws RATE_LIMITED. */
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

  /** As `takeSubscription`, for an open socket; null when there are too many. */
  takeSocket(viewer: Viewer): (() => void) | null {
    const taken = takePlaces(this.sockets, viewer, this.config.limits.sockets);
    return 'fullOf' in taken ? null : once(taken.giveBack);
  }

  /** As `takeSubscription`, for a socket before authentication; null: its network has too many. */
  takeHandshake(address: string): (() => void) | null {
    const network = networkOf(address);
    if (!this.handshakes.take(network, MAX_HANDSHAKES)) return null;
    return once(() => this.handshakes.giveBack(network));
  }
}

interface ReadRequest {
  /** The thread time for reading its body. */
  readingMs?: number;
  /** It was charged to the company's share of the thread already. */
  isReadInTurn?: boolean;
}

/** Delays events while a company has used more of the thread than others. */
export interface EventPace {
  /** Adds the time of writing an event, in milliseconds. */
  spent(ms: number): void;
  /** Counts a text that is to be sent. Null: send it. Otherwise, if it is large, wait until it resolves. */
  send(text: string): Promise<void> | null;
  /** Whether the next event may be sent at once. */
  isFree(): boolean;
  whenFree(): Promise<void>;
}

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
  return rateLimited(
    `${who} sent ${limit} operations within a minute, which is the limit. Go on in ${retryAfter} s.`,
    { retryAfter, limit },
  );
}

function tooManyWaiting(whose: string, limit = MAX_WAITING): DomainError {
  const message = `${limit} operations wait for others of ${whose}, which is the limit. Send fewer at the same time, or go on in 1 s.`;
  return rateLimited(message, { retryAfter: 1, limit });
}

function tooManyWaitForThread(fullOf: 'member' | 'company'): DomainError {
  return fullOf === 'member'
    ? tooManyWaiting('yours')
    : tooManyWaiting('your company’s', MAX_WAITING * MEMBERS_SHARES);
}

function tooMuchWork(whose: string, limit: number, retryAfter: number): DomainError {
  return rateLimited(
    `${whose} kept the server busy for ${limit} ms within a minute, which is the limit. Ask for less, or go on in ${retryAfter} s.`,
    { retryAfter, limit },
  );
}

function tooManySubscriptions(fullOf: 'member' | 'company', memberLimit: number): DomainError {
  const limit = fullOf === 'member' ? memberLimit : memberLimit * MEMBERS_SHARES;
  const who = fullOf === 'member' ? 'You have' : 'Your company has';
  return rateLimited(
    `${who} ${limit} subscriptions under way, which is the limit. End those that are no longer needed.`,
    { retryAfter: SUBSCRIPTION_RETRY_SECONDS, limit },
  );
}

/** Counts places in use by key. Keys without any are forgotten. */
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

  get keys(): number {
    return this.taken.size;
  }
}
