import { notFound } from '../../common/domain-error.js';
import { patiently } from '../../database/patiently.js';
import type { TurnEvent } from '../turn-event.js';
import type { LogPage } from './turn-event.repository.js';
import type { TurnFeed } from './turn-feed.js';
import type { TurnLogReader } from './turn-log-reader.service.js';

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
  /** There while the log is read. */
  private reading: AbortController | null = null;
  /** Set by a wake-up that came while nobody was waiting. */
  private woken = false;
  private wakeUp: (() => void) | null = null;
  /** Whoever calls next() before the last one has answered waits in line. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly log: Pick<TurnLogReader, 'read'>,
    private readonly feed: TurnFeed,
    private readonly turn: { companyId: string; turnId: string },
    private position: number,
  ) {}

  /** Begins to listen, for a member. Rejects with NOT_FOUND when the turn is not theirs, or not there at all. */
  async begin(memberId: string): Promise<this> {
    try {
      this.listen();
      const { events, state } = await this.readOnce({ memberId });
      if (state === 'gone') throw notFound('turn');
      this.page = events;
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

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
    try {
      this.listen();
      const event = await this.find();
      if (!event || this.closed) {
        this.close();
        return done;
      }
      this.position = event.sequence;
      if (event.type === 'turn-done') this.close();
      return { done: false, value: event };
    } catch (error) {
      // Whoever left while the database was away is told nothing of it.
      if (this.closed) return done;
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
        const { events, state } = await this.read();
        this.page = events;
        if (events.length > 0) continue;
        if (state === 'ended') return null;
        if (state === 'gone') throw notFound('turn');
      }
      await this.wait();
    }
    return null;
  }

  /** While the database is away the client is left waiting: the turn waits too, and goes on when it is back. */
  private async read(): Promise<LogPage> {
    this.reading = new AbortController();
    try {
      return await patiently(() => this.readOnce(), this.reading.signal);
    } finally {
      this.reading = null;
    }
  }

  private async readOnce(who: { memberId?: string } = {}): Promise<LogPage> {
    const show = this.feed.beginReading(this.turn.turnId);
    const page = await this.log.read({ ...this.turn, after: this.position, ...who }, PAGE);
    // The others who listen need not read what has just been read; nor need this one, when it is woken for it.
    if (page.state === 'open' && page.events.length < PAGE) show(page.events);
    return page;
  }

  /** Before the log is read: what is stored after that wakes us, what was stored before is in the log. */
  private listen(): void {
    this.stopListening ??= this.feed.listen(this.turn, () => this.onWake());
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
    this.reading?.abort();
    this.page = [];
    this.stopListening?.();
    this.stopListening = null;
    this.onWake();
  }
}
