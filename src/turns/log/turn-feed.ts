import { Injectable } from '@nestjs/common';

import type { TurnEvent } from '../turn-event.js';
import type { Position } from './turn-event.repository.js';

/**
 * Of a live turn this many events are kept at hand beside the newest; who is further behind reads them from the log.
 * At the speed of a model they are a second or two: more would outlive the young generation, and be costly to collect.
 */
const KEPT = 32;

interface Tail {
  companyId: string;
  /** Without a gap, oldest first. */
  events: TurnEvent[];
  listeners: Set<() => void>;
  /** The log goes at least as far as this, whatever is at hand. */
  knownTo: number;
  /** How often the listeners were sent to the log for what nobody could name. */
  lookAgains: number;
}

/** What a listener finds at its position: the next event, or why there is none. */
export type Next = TurnEvent | 'wait' | 'read-the-log';

/**
 * The recent events of live turns, shared by all who listen: a listener is a position and a callback, so that a
 * slow client holds nothing on the server. A turn's tail goes with its last listener.
 */
@Injectable()
export class TurnFeed {
  private readonly tails = new Map<string, Tail>();
  private readonly watchers: ((events: readonly TurnEvent[]) => void)[] = [];

  /** Has `watcher` called with whatever this process stores of a turn, whether anybody listens or not. */
  watch(watcher: (events: readonly TurnEvent[]) => void): void {
    this.watchers.push(watcher);
  }

  /** Shows events that this process has just stored. */
  stored(turnId: string, events: readonly TurnEvent[]): void {
    for (const watcher of this.watchers) watcher(events);
    this.publish(turnId, events);
  }

  /** Shows stored events to whoever listens to the turn. */
  publish(turnId: string, events: readonly TurnEvent[]): void {
    const tail = this.tails.get(turnId);
    if (!tail) return;
    const last = lastOf(tail);
    // What is told late, or twice, must not replace what is later: nobody would tell that again.
    const news = events.filter(({ sequence }) => sequence > last);
    if (news.length === 0) return;
    // A gap would be shown as if there were none.
    if (news[0]?.sequence !== last + 1) tail.events = [];
    else if (tail.events.length > KEPT) tail.events.splice(0, tail.events.length - KEPT);
    tail.events.push(...news);
    for (const listener of tail.listeners) listener();
  }

  /** Has whoever listens to the turn read the log: it may hold more than was shown, or the turn may be gone. */
  lookAgain(turnId: string): void {
    const tail = this.tails.get(turnId);
    if (!tail) return;
    tail.events = [];
    tail.lookAgains += 1;
    for (const listener of tail.listeners) listener();
  }

  /** The same when it is known how far the log goes: whoever has read as far as that can wait again. */
  expect(turnId: string, sequence: number): void {
    const tail = this.tails.get(turnId);
    if (!tail) return;
    tail.knownTo = Math.max(tail.knownTo, sequence);
    for (const listener of tail.listeners) listener();
  }

  /**
   * For whoever is about to read the turn's log: the returned function shows the others what was found, unless they
   * were told to look again meanwhile, for what may have come after the reading.
   */
  beginReading(turnId: string): (events: readonly TurnEvent[]) => void {
    const tail = this.tails.get(turnId);
    const lookAgains = tail?.lookAgains;
    return (events) => {
      const isSame = this.tails.get(turnId) === tail && tail?.lookAgains === lookAgains;
      if (isSame) this.publish(turnId, events);
    };
  }

  /** Has all who listen read their logs: what other replicas told meanwhile may not have been heard. */
  lookAgainAll(): void {
    for (const turnId of this.tails.keys()) this.lookAgain(turnId);
  }

  /** Calls `listener` whenever there may be more, until the returned function is called. */
  listen({ companyId, turnId }: Pick<Position, 'companyId' | 'turnId'>, listener: () => void): () => void {
    const tail = this.tails.get(turnId) ?? newTail(companyId);
    this.tails.set(turnId, tail);
    tail.listeners.add(listener);
    return () => {
      tail.listeners.delete(listener);
      if (tail.listeners.size === 0 && this.tails.get(turnId) === tail) this.tails.delete(turnId);
    };
  }

  /** The event after position `after`, as far as it is at hand. */
  next(turnId: string, after: number): Next {
    const { events, knownTo } = this.tails.get(turnId) ?? nothing;
    const [first] = events;
    if (!first || after + 1 < first.sequence) return 'read-the-log';
    const next = events[after + 1 - first.sequence];
    if (next) return next;
    // Who stands elsewhere knows more than is told here, or asks for more than there will be: the log knows the end.
    const last = events.at(-1);
    const isUpToDate = last?.sequence === after && after >= knownTo && last.type !== 'turn-done';
    return isUpToDate ? 'wait' : 'read-the-log';
  }

  /** Whether somebody listens to the turn who has not been shown the event of that number. */
  isBehind(turnId: string, sequence: number): boolean {
    const tail = this.tails.get(turnId);
    return tail !== undefined && lastOf(tail) < sequence;
  }

  /** Where what is at hand of the turn ends. Null: nothing is at hand, or nobody listens. */
  position(turnId: string): Position | null {
    const tail = this.tails.get(turnId);
    if (!tail || tail.events.length === 0) return null;
    return { companyId: tail.companyId, turnId, after: lastOf(tail) };
  }

  /** How many turns are listened to: none when every client has left. */
  get size(): number {
    return this.tails.size;
  }
}

const newTail = (companyId: string): Tail => ({
  companyId,
  events: [],
  listeners: new Set(),
  knownTo: 0,
  lookAgains: 0,
});

const nothing: Pick<Tail, 'events' | 'knownTo'> = { events: [], knownTo: 0 };

const lastOf = (tail: Tail): number => tail.events.at(-1)?.sequence ?? 0;
