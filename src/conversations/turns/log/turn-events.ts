import { LiveStream } from '@palabre/async';

import { notFound } from '../../../common/errors/domain-error.js';
import { retryUntilConnected } from '../../../platform/database/retry-until-connected.js';
import type { TextDelta, TurnEvent } from '../turn-event.js';
import type { LogPage, LogRequest } from './turn-event.repository.js';
import type { TurnFeed } from './turn-feed.js';

const PAGE = 200;

interface LogReader {
  read(request: LogRequest, limit: number): Promise<LogPage>;
}

/** Takes events of text as soon as they are stored. */
export interface TextDeltaSink {
  /** False: events have to wait for the reader. */
  readonly isReady: boolean;
  take(event: TextDelta): void;
}

/** The events of one turn after a position: the stored ones, then live ones, up to TurnDone. */
export class TurnEvents extends LiveStream<TurnEvent> {
  private page: TurnEvent[] = [];
  private stopListening: (() => void) | null = null;
  /** Set while the log is being read. */
  private reading: AbortController | null = null;
  private textSink: TextDeltaSink | null = null;

  constructor(
    private readonly log: LogReader,
    private readonly feed: TurnFeed,
    private readonly turn: { companyId: string; turnId: string },
    private position: number,
  ) {
    super();
  }

  /** Starts listening for a member. Rejects with NOT_FOUND for a missing turn, or another member's. */
  async begin(memberId: string): Promise<this> {
    try {
      this.listen();
      if (this.feed.isAtHand({ ...this.turn, after: this.position }, memberId)) return this;
      const { events, state } = await this.readOnce({ memberId });
      if (state === 'gone') throw notFound('turn');
      this.page = events;
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Gives events of text to `sink`, instead of the reader, while the reader waits for the next one and `sink` is ready. */
  handTextTo(sink: TextDeltaSink): void {
    this.textSink = sink;
  }

  protected override onTold({ sequence, type }: TurnEvent): void {
    this.position = sequence;
    if (type === 'turn-done') this.close();
  }

  protected override release(): void {
    this.reading?.abort();
    this.page = [];
    this.stopListening?.();
    this.stopListening = null;
  }

  /** The next event; null when the turn has ended before it. Rejects with NOT_FOUND when the turn was removed. */
  protected override async find(): Promise<TurnEvent | null> {
    this.listen();
    while (!this.isClosed) {
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

  /** Waits while the database is unreachable: the turn waits as well, and continues afterwards. */
  private async read(): Promise<LogPage> {
    this.reading = new AbortController();
    try {
      return await retryUntilConnected(() => this.readOnce(), this.reading.signal);
    } finally {
      this.reading = null;
    }
  }

  private async readOnce(who: { memberId?: string } = {}): Promise<LogPage> {
    const show = this.feed.beginReading(this.turn.turnId);
    const page = await this.log.read({ ...this.turn, after: this.position, ...who }, PAGE);
    // Other listeners need not read the same events again, nor does this one when woken for them.
    if (page.state === 'open' && page.events.length < PAGE) show(page.events);
    return page;
  }

  private onNews(): void {
    while (this.isWaiting && this.textSink?.isReady) {
      const next = this.feed.next(this.turn.turnId, this.position);
      if (next === 'wait') return;
      if (typeof next !== 'object' || next.type !== 'text-delta') break;
      this.onTold(next);
      this.textSink.take(next);
    }
    this.wake();
  }

  /** Call this before reading the log. Later events wake the reader; earlier ones are in the log. */
  private listen(): void {
    this.stopListening ??= this.feed.listen(this.turn, () => this.onNews());
  }
}
