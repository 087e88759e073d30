import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import type { Viewer } from '../auth/viewer.js';
import { MemberRepository } from './member.repository.js';

/** The topic of ids of members who lost access. */
export const MEMBER_GONE = 'member-gone';

/** The topic of ids of companies that are being erased. */
export const COMPANY_GONE = 'company-gone';

/** The topic of ids of members whose sessions were ended before their time. */
export const SESSIONS_ENDED = 'sessions-ended';

/** Whether a session was ended early. `began`: undefined for a token. */
export function isSessionOver(began: Date | undefined, endedAt: Date | null): boolean {
  return began !== undefined && endedAt !== null && began <= endedAt;
}

const MAX_ENTRIES = 10_000;
const TTL_MS = 60_000;

/** A second lookup is rare: a message must arrive, or be missed, in the milliseconds of the first. */
const MAX_LOOKUPS = 3;

interface Announced {
  gone: Set<string>;
  /** Messages may have been missed, or a company was erased: any member may have lost access. */
  isUncertain: boolean;
}

/**
 * A cache of members by token subject or API key, which saves requests their transactions. Members who lose access are
 * removed at once. Failed lookups are not cached, so that new members and keys work at once.
 */
export class MemberCache<Member extends { id: string; companyId: string }> {
  private readonly entries = new LRUCache<string, Member>({ max: MAX_ENTRIES, ttl: TTL_MS });
  private readonly lookups = new Set<Announced>();
  private readonly stops: (() => void)[];

  constructor(pubSub: PubSub) {
    this.stops = [
      pubSub.subscribe(MEMBER_GONE, (id) => this.remove(id)),
      pubSub.subscribe(SESSIONS_ENDED, (id) => this.remove(id)),
      pubSub.subscribe(COMPANY_GONE, (id) => this.removeCompany(id)),
      pubSub.onGap(() => this.clear()),
    ];
  }

  get(key: string): Member | null {
    return this.entries.get(key) ?? null;
  }

  /**
   * Caches and gives the member that `find` resolves to. `find` is called again when the member lost access meanwhile,
   * for it may have read the earlier state. Rejects as `find` does, or with UNAVAILABLE when that happens repeatedly.
   */
  async load(key: string, find: () => Promise<Member>): Promise<Member> {
    for (let lookups = 0; lookups < MAX_LOOKUPS; lookups += 1) {
      const announced: Announced = { gone: new Set(), isUncertain: false };
      this.lookups.add(announced);
      const member = await find().finally(() => this.lookups.delete(announced));
      if (announced.isUncertain || announced.gone.has(member.id)) continue;
      this.entries.set(key, member);
      return member;
    }
    throw new DomainError('UNAVAILABLE', 'Your access cannot be checked at the moment. Please try again.');
  }

  /** Unsubscribes. */
  stop(): void {
    for (const stop of this.stops) stop();
  }

  private remove(id: string): void {
    for (const { gone } of this.lookups) gone.add(id);
    for (const [key, member] of this.entries.entries()) if (member.id === id) this.entries.delete(key);
  }

  private removeCompany(companyId: string): void {
    // The company of a running lookup is not known yet.
    for (const announced of this.lookups) announced.isUncertain = true;
    for (const [key, member] of this.entries.entries())
      if (member.companyId === companyId) this.entries.delete(key);
  }

  private clear(): void {
    for (const announced of this.lookups) announced.isUncertain = true;
    this.entries.clear();
  }
}

type Watched = Pick<Viewer, 'id' | 'companyId' | 'sessionBegan'>;

interface Watch extends Watched {
  act: () => void;
}

/** Calls back when a member loses access, or their session is ended, on whichever replica that was decided. */
@Injectable()
export class MemberAccessWatcher implements OnApplicationShutdown {
  private readonly watches = new Map<string, Set<Watch>>();
  private readonly stops: (() => void)[];

  constructor(
    private readonly database: Database,
    private readonly members: MemberRepository,
    @Inject(LOGGER) private readonly logger: Logger,
    pubSub: PubSub,
  ) {
    this.stops = [
      pubSub.subscribe(MEMBER_GONE, (id) => this.notify(id)),
      pubSub.subscribe(COMPANY_GONE, (companyId) => this.notifyCompany(companyId)),
      // Messages of other replicas may have been missed.
      pubSub.onGap(() => void this.check([...this.watches.values()].flatMap((watches) => [...watches]))),
      pubSub.subscribe(SESSIONS_ENDED, (id) => void this.check([...(this.watches.get(id) ?? [])])),
    ];
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop();
  }

  /**
   * Calls `act` when the member loses access, or has lost it before, or the session is over. The returned function stops
   * watching.
   */
  watch(viewer: Watched, act: () => void): () => void {
    const { id } = viewer;
    const watch: Watch = { ...viewer, act };
    const others = this.watches.get(id) ?? new Set();
    this.watches.set(id, others.add(watch));
    // The member may have lost access between their sign-in and now.
    void this.check([watch]);
    return () => {
      others.delete(watch);
      if (others.size === 0 && this.watches.get(id) === others) this.watches.delete(id);
    };
  }

  private notify(id: string): void {
    const watches = this.watches.get(id) ?? [];
    this.watches.delete(id);
    for (const { act } of watches) act();
  }

  private notifyCompany(companyId: string): void {
    const watched = [...this.watches.values()].flatMap((watches) => [...watches]);
    for (const watch of watched) if (watch.companyId === companyId) this.notify(watch.id);
  }

  /** Notifies the watchers of those members who have lost access, and of sessions that are over. */
  private async check(watched: readonly Watch[]): Promise<void> {
    try {
      for (const [companyId, watches] of Map.groupBy(watched, (each) => each.companyId)) {
        const ids = [...new Set(watches.map(({ id }) => id))];
        const active = await this.database.read(companyId, (tx) => this.members.listActive(tx, ids));
        for (const watch of watches) {
          const { id, sessionBegan } = watch;
          const isOver = isSessionOver(sessionBegan, active.get(id) ?? null);
          if (!active.has(id)) this.notify(id);
          else if (isOver && this.watches.get(id)?.delete(watch)) watch.act();
        }
      }
    } catch (err) {
      this.logger.warn({ err }, 'members not looked at');
    }
  }
}
