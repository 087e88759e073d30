import { notFound } from '../common/domain-error.js';
import type { TurnEvent } from './turn-event.js';
import type { TurnFeed } from './turn-feed.js';
import type { TurnLog } from './turn-log.service.js';

const PAGE = 200;

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The events of one turn later than `after`, in order, each once: what is stored, then what comes, up to TurnDone.
 *
 * Written by hand, for a generator that waits for a silent turn would not stop before the next event.
 */
export class TurnEvents implements AsyncIterableIterator<TurnEvent, undefined> {
  private page: TurnEvent[] = [];
  private stopListening: (() => void) | null = null;
  private closed = false;
  /** Set by a wake-up that came while nobody was waiting. */
  private woken = false;
  private wakeUp: (() => void) | null = null;
  /** Whoever calls next() before the last one has answered waits in line. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: Pick<TurnLog, 'read'>,
    private readonly feed: TurnFeed,
    private readonly turn: { companyId: string; turnId: string },
    private position: number,
  ) {}

  next(): Promise<IteratorResult<TurnEvent, undefined>> {
    const result = this.line.then(() => this.advance());
    this.line = result.catch(() => undefined);
    return result;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private async advance(): Promise<IteratorResult<TurnEvent, undefined>> {
    if (this.closed) return done;
    // Listen first: what is stored after the log was read wakes us, what was stored before is in the log.
    this.stopListening ??= this.feed.listen(this.turn.turnId, () => this.onWake());
    try {
      const event = await this.find();
      if (!event || this.closed) {
        this.close();
        return done;
      }
      this.position = event.sequence;
      if (event.type === 'turn-done') this.close();
      return { done: false, value: event };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The next event; null when the turn has ended before it. Rejects with NOT_FOUND when the turn was removed. */
  private async find(): Promise<TurnEvent | null> {
    while (!this.closed) {
      const paged = this.page.shift();
      if (paged) return paged;
      this.woken = false;
      const next = this.feed.next(this.turn.turnId, this.position);
      if (typeof next === 'object') return next;
      if (next === 'read-the-log') {
        const { companyId, turnId } = this.turn;
        const { events, state } = await this.log.read(companyId, turnId, this.position, PAGE);
        this.page = events;
        if (events.length > 0) continue;
        if (state === 'ended') return null;
        if (state === 'gone') throw notFound('turn');
      }
      await this.wait();
    }
    return null;
  }

  private wait(): Promise<void> {
    if (this.woken || this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.wakeUp = resolve;
    });
  }

  private onWake(): void {
    this.woken = true;
    this.wakeUp?.();
    this.wakeUp = null;
  }

  private close(): void {
    this.closed = true;
    this.page = [];
    this.stopListening?.();
    this.stopListening = null;
    this.onWake();
  }
}
