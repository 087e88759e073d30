import { Injectable } from '@nestjs/common';

import { eventOf, type TurnEvent } from '../turn-event.js';
import type { Append, Position } from './turn-event.repository.js';

/** A second or two of a model's events. More would outlive the young generation and be costly to collect. */
const KEPT = 32;

interface RecentEvents {
  companyId: string;
  /** The member of a turn that this process runs. Null: it does not run it. */
  keptFor: string | null;
  /** Without a gap, oldest first. */
  events: TurnEvent[];
  listeners: Set<() => void>;
  /** The log has at least this many events, whatever is in memory. */
  knownTo: number;
  /** How often `invalidate` was called. */
  invalidations: number;
}

/** The event at a listener's position, or what to do when it is not in memory. */
type NextEvent = TurnEvent | 'wait' | 'read-the-log';

/** A listener is a position and a callback, so that a slow client holds no events in memory. */
@Injectable()
export class TurnFeed {
  private readonly recent = new Map<string, RecentEvents>();
  private readonly watchers: ((events: readonly TurnEvent[]) => void)[] = [];

  /** Calls `watcher` with all events that this process stores, whether anybody listens or not. */
  watch(watcher: (events: readonly TurnEvent[]) => void): void {
    this.watchers.push(watcher);
  }

  /** Keeps events without listeners until the returned function is called, so that the asker need not read the log. */
  keep({ companyId, turnId }: Pick<Position, 'companyId' | 'turnId'>, memberId: string): () => void {
    const recent = this.recentOf(companyId, turnId);
    recent.keptFor = memberId;
    return () => {
      recent.keptFor = null;
      this.dropUnused(turnId, recent);
    };
  }

  /** Whether this process runs the turn for the member, and what comes after position `after` is in memory. */
  isAtHand({ companyId, turnId, after }: Position, memberId: string): boolean {
    const recent = this.recent.get(turnId);
    const isTheirs = recent?.companyId === companyId && recent.keptFor === memberId;
    return isTheirs && this.next(turnId, after) !== 'read-the-log';
  }

  /** Shows events that this process has just stored. */
  stored(turnId: string, events: readonly TurnEvent[]): void {
    for (const watcher of this.watchers) watcher(events);
    this.publish(turnId, events);
  }

  /** Shows stored events to the turn's listeners. */
  publish(turnId: string, events: readonly TurnEvent[]): void {
    const recent = this.recent.get(turnId);
    if (!recent) return;
    const last = lastOf(recent);
    // Late or repeated events must not replace later ones, which nobody would publish again.
    const news = events.filter(({ sequence }) => sequence > last);
    if (news.length === 0) return;
    // After a gap the older events are dropped: listeners would not notice the gap.
    if (news[0]?.sequence !== last + 1) recent.events = [];
    else if (recent.events.length > KEPT) recent.events.splice(0, recent.events.length - KEPT);
    recent.events.push(...news);
    for (const listener of recent.listeners) listener();
  }

  /** Makes listeners read the log: it may hold more than was published, or the turn may be gone. */
  invalidate(turnId: string): void {
    const recent = this.recent.get(turnId);
    if (!recent) return;
    recent.events = [];
    recent.invalidations += 1;
    for (const listener of recent.listeners) listener();
  }

  /** Tells listeners the log's length. Those that have read that far go on waiting; the others read the log. */
  announceLength(turnId: string, sequence: number): void {
    const recent = this.recent.get(turnId);
    if (!recent) return;
    recent.knownTo = Math.max(recent.knownTo, sequence);
    for (const listener of recent.listeners) listener();
  }

  /** Before reading the log; the returned function publishes what was found, unless it is invalidated meanwhile. */
  beginReading(turnId: string): (events: readonly TurnEvent[]) => void {
    const recent = this.recent.get(turnId);
    const lookAgains = recent?.invalidations;
    return (events) => {
      const isSame = this.recent.get(turnId) === recent && recent?.invalidations === lookAgains;
      if (isSame) this.publish(turnId, events);
    };
  }

  /** Makes all listeners read their logs, as announcements of other replicas may have been missed. */
  invalidateAll(): void {
    for (const turnId of this.recent.keys()) this.invalidate(turnId);
  }

  /** Calls `listener` whenever there may be new events, until the returned function is called. */
  listen({ companyId, turnId }: Pick<Position, 'companyId' | 'turnId'>, listener: () => void): () => void {
    const recent = this.recentOf(companyId, turnId);
    recent.listeners.add(listener);
    return () => {
      recent.listeners.delete(listener);
      this.dropUnused(turnId, recent);
    };
  }

  private recentOf(companyId: string, turnId: string): RecentEvents {
    const recent = this.recent.get(turnId) ?? noRecentEvents(companyId);
    this.recent.set(turnId, recent);
    return recent;
  }

  private dropUnused(turnId: string, recent: RecentEvents): void {
    const isUnused = recent.listeners.size === 0 && recent.keptFor === null;
    if (isUnused && this.recent.get(turnId) === recent) this.recent.delete(turnId);
  }

  /** The event after position `after`, if it is in memory. */
  next(turnId: string, after: number): NextEvent {
    const { events, knownTo } = this.recent.get(turnId) ?? NOT_LISTENED_TO;
    const [first] = events;
    if (!first || after + 1 < first.sequence) return 'read-the-log';
    const next = events[after + 1 - first.sequence];
    if (next) return next;
    // A listener at any other position has seen more than is here, or asks beyond the end: only the log can tell.
    const last = events.at(-1);
    const isUpToDate = last?.sequence === after && after >= knownTo && last.type !== 'turn-done';
    return isUpToDate ? 'wait' : 'read-the-log';
  }

  /** Whether the turn has listeners that were not shown the event with this sequence. */
  hasListenersBehind(turnId: string, sequence: number): boolean {
    const recent = this.recent.get(turnId);
    return recent !== undefined && recent.listeners.size > 0 && lastOf(recent) < sequence;
  }

  /** The position of the newest event in memory. Null: there is none, or nobody listens. */
  position(turnId: string): Position | null {
    const recent = this.recent.get(turnId);
    if (!recent || recent.events.length === 0) return null;
    return { companyId: recent.companyId, turnId, after: lastOf(recent) };
  }

  /** How many turns are listened to: none when every client has left. */
  get size(): number {
    return this.recent.size;
  }
}

function noRecentEvents(companyId: string): RecentEvents {
  return {
    companyId,
    keptFor: null,
    events: [],
    listeners: new Set(),
    knownTo: 0,
    invalidations: 0,
  };
}

const NOT_LISTENED_TO: Pick<RecentEvents, 'events' | 'knownTo'> = { events: [], knownTo: 0 };

/** The events of a turn that were stored `at` a time. */
export function eventsOf(
  turnId: string,
  { before, entries }: Pick<Append, 'before' | 'entries'>,
  at: Date,
): TurnEvent[] {
  return entries.map((entry, index) => ({ turnId, sequence: before + index + 1, at, ...eventOf(entry) }));
}

function lastOf(recent: RecentEvents): number {
  return recent.events.at(-1)?.sequence ?? 0;
}
