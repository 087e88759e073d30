import { LRUCache } from 'lru-cache';

import { DomainError } from '../../common/errors/domain-error.js';
import type { PubSub } from '../../pubsub/pub-sub.js';

/** The topic on which the ids of members are told whom nobody is any more. */
export const MEMBER_GONE = 'member-gone';

const REMEMBERED = 10_000;
const REMEMBERED_FOR_MS = 60_000;

/** A second one is rare: its member went, or hints were missed, in the milliseconds that the first one took. */
const MOST_LOOKUPS = 3;

/** What was heard since a lookup began. */
interface Heard {
  gone: Set<string>;
  /** Anybody may be gone: hints were missed. */
  isGap: boolean;
}

/**
 * Who it is that comes with a token or a key, as it was found a moment ago: spares a request its transactions. Whoever
 * is told to be gone is forgotten. Who is not there is not remembered, so that what is new works at once.
 */
export class RememberedMembers<Member extends { id: string }> {
  private readonly known = new LRUCache<string, Member>({ max: REMEMBERED, ttl: REMEMBERED_FOR_MS });
  private readonly lookups = new Set<Heard>();
  private readonly stops: (() => void)[];

  constructor(pubSub: PubSub) {
    this.stops = [
      pubSub.subscribe(MEMBER_GONE, (id) => this.forget(id)),
      pubSub.onGap(() => this.forgetAll()),
    ];
  }

  recall(key: string): Member | null {
    return this.known.get(key) ?? null;
  }

  /**
   * Whom `find` finds, to be remembered. It is asked again if they were told to be gone meanwhile, for it may have read
   * what was so before. Rejects as `find` does, or with UNAVAILABLE if that goes on and on.
   */
  async lookUp(key: string, find: () => Promise<Member>): Promise<Member> {
    for (let lookups = 0; lookups < MOST_LOOKUPS; lookups += 1) {
      const heard: Heard = { gone: new Set(), isGap: false };
      this.lookups.add(heard);
      const member = await find().finally(() => this.lookups.delete(heard));
      if (heard.isGap || heard.gone.has(member.id)) continue;
      this.known.set(key, member);
      return member;
    }
    throw new DomainError('UNAVAILABLE', 'It is not clear just now who this is. Please try again.');
  }

  /** Hears of nobody any more. */
  stop(): void {
    for (const stop of this.stops) stop();
  }

  private forget(id: string): void {
    for (const { gone } of this.lookups) gone.add(id);
    for (const [key, member] of this.known.entries()) if (member.id === id) this.known.delete(key);
  }

  private forgetAll(): void {
    for (const heard of this.lookups) heard.isGap = true;
    this.known.clear();
  }
}
