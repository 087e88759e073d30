import { isId } from '../common/ids.js';
import { patiently } from '../database/patiently.js';
import type { Notification } from './notification.entity.js';

const PAGE = 100;

/** Less than every id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** One member's notifications, as a stream needs them. */
export interface FollowedInbox {
  /**
   * Calls `onHint` with the id of each new one, and `onGap` after a time in which some may not have been heard of,
   * until the returned function is called.
   */
  listen(onHint: (id: string) => void, onGap: () => void): () => void;
  lastId(): Promise<string | null>;
  /** Oldest first. */
  listAfter(id: string, limit: number): Promise<Notification[]>;
}

/**
 * What a member is told from `begin` on, in order, each once: hints may be lost, doubled or out of order, and say
 * only when to look for what is later than the last one told.
 *
 * Written by hand, for a generator that waits for the next one would not stop before it.
 */
export class NotificationStream implements AsyncIterableIterator<Notification, undefined> {
  private page: Notification[] = [];
  private position = BEFORE_ALL;
  private mayHaveMore = false;
  private wakeUp: (() => void) | null = null;
  private stopListening: (() => void) | null = null;
  private readonly closing = new AbortController();
  /** Whoever calls next() before the last one has answered waits in line. */
  private line: Promise<unknown> = Promise.resolve();

  constructor(private readonly inbox: FollowedInbox) {}

  async begin(): Promise<this> {
    try {
      // Before the position is read: what is stored after that wakes us.
      this.stopListening = this.inbox.listen(
        (id) => this.onHint(id),
        () => this.lookAgain(),
      );
      this.position = (await this.inbox.lastId()) ?? BEFORE_ALL;
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  next(): Promise<IteratorResult<Notification, undefined>> {
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

  private async advance(): Promise<IteratorResult<Notification, undefined>> {
    try {
      const notification = await this.find();
      if (!notification || this.closed) return done;
      this.position = notification.id;
      return { done: false, value: notification };
    } catch (error) {
      // Whoever left while the database was away is told nothing of it.
      if (this.closed) return done;
      this.close();
      throw error;
    }
  }

  /** The next one, however long that takes; null once the stream is closed. */
  private async find(): Promise<Notification | null> {
    while (!this.closed) {
      const next = this.page.shift();
      if (next) return next;
      if (this.mayHaveMore) await this.look();
      else await this.wait();
    }
    return null;
  }

  private async look(): Promise<void> {
    this.mayHaveMore = false;
    const { signal } = this.closing;
    this.page = await patiently(() => this.inbox.listAfter(this.position, PAGE), signal);
    if (this.page.length === PAGE) this.mayHaveMore = true;
  }

  private wait(): Promise<void> {
    return new Promise((resolve) => {
      this.wakeUp = resolve;
    });
  }

  /** Ids are stored in their order, so that a hint of what was told already says nothing new. */
  private onHint(id: string): void {
    const known = this.page.at(-1)?.id ?? this.position;
    if (isId(id) && id > known) this.lookAgain();
  }

  private lookAgain(): void {
    this.mayHaveMore = true;
    this.wake();
  }

  private wake(): void {
    this.wakeUp?.();
    this.wakeUp = null;
  }

  private get closed(): boolean {
    return this.closing.signal.aborted;
  }

  private close(): void {
    this.closing.abort();
    this.page = [];
    this.stopListening?.();
    this.stopListening = null;
    this.wake();
  }
}
