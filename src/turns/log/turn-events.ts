import { notFound } from '../../common/errors/domain-error.js';
import { LiveStream } from '../../common/live-stream.js';
import { patiently } from '../../database/patiently.js';
import type { TurnEvent } from '../turn-event.js';
import type { LogPage } from './turn-event.repository.js';
import type { TurnFeed } from './turn-feed.js';
import type { TurnLogReader } from './turn-log-reader.service.js';

const PAGE = 200;

/** The events of one turn later than `after`: what is stored, then what comes, up to TurnDone. */
export class TurnEvents extends LiveStream<TurnEvent> {
  private page: TurnEvent[] = [];
  private stopListening: (() => void) | null = null;
  /** There while the log is read. */
  private reading: AbortController | null = null;

  constructor(
    private readonly log: Pick<TurnLogReader, 'read'>,
    private readonly feed: TurnFeed,
    private readonly turn: { companyId: string; turnId: string },
    private position: number,
  ) {
    super();
  }

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
    this.stopListening ??= this.feed.listen(this.turn, () => this.wake());
  }
}
