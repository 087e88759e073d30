import { Injectable } from '@nestjs/common';

import type { TurnEvent } from './turn-event.js';

/** Of a live turn this many events are kept at hand; who is further behind reads them from the log. */
const KEPT = 256;

interface Tail {
  /** Without a gap, oldest first. */
  events: TurnEvent[];
  listeners: Set<() => void>;
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

  /** Shows stored events to whoever listens to the turn. */
  publish(turnId: string, events: readonly TurnEvent[]): void {
    const tail = this.tails.get(turnId);
    if (!tail) return;
    const last = tail.events.at(-1)?.sequence ?? 0;
    // What is told late, or twice, must not replace what is later: nobody would tell that again.
    const news = events.filter(({ sequence }) => sequence > last);
    // A gap would be shown as if there were none.
    if (news[0] && news[0].sequence !== last + 1) tail.events = [];
    tail.events.push(...news);
    if (tail.events.length > KEPT) tail.events = tail.events.slice(-KEPT);
    for (const listener of tail.listeners) listener();
  }

  /** Has whoever listens to the turn read the log: it may hold more than was shown, or the turn may be gone. */
  lookAgain(turnId: string): void {
    const tail = this.tails.get(turnId);
    if (!tail) return;
    tail.events = [];
    for (const listener of tail.listeners) listener();
  }

  /** Calls `listener` whenever there may be more, until the returned function is called. */
  listen(turnId: string, listener: () => void): () => void {
    const tail = this.tails.get(turnId) ?? { events: [], listeners: new Set() };
    this.tails.set(turnId, tail);
    tail.listeners.add(listener);
    return () => {
      tail.listeners.delete(listener);
      if (tail.listeners.size === 0 && this.tails.get(turnId) === tail) this.tails.delete(turnId);
    };
  }

  /** The event after position `after`, as far as it is at hand. */
  next(turnId: string, after: number): Next {
    const events = this.tails.get(turnId)?.events ?? [];
    const [first] = events;
    if (!first || after + 1 < first.sequence) return 'read-the-log';
    const next = events[after + 1 - first.sequence];
    if (next) return next;
    // Who stands elsewhere knows more than is told here, or asks for more than there will be: the log knows the end.
    const last = events.at(-1);
    return last?.sequence === after && last.type !== 'turn-done' ? 'wait' : 'read-the-log';
  }

  /** How many turns are listened to: none when every client has left. */
  get size(): number {
    return this.tails.size;
  }
}
