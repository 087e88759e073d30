import { isId } from '../common/ids.js';
import { LiveStream } from '../common/live-stream.js';
import { patiently } from '../database/patiently.js';
import type { Notification } from './notification.entity.js';

const PAGE = 100;

/** Less than every id. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

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
 * What a member is told from `begin` on: hints may be lost, doubled or out of order, and say only when to look for what
 * is later than the last one told.
 */
export class NotificationStream extends LiveStream<Notification> {
  private page: Notification[] = [];
  private position = BEFORE_ALL;
  private mayHaveMore = false;
  private stopListening: (() => void) | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly inbox: FollowedInbox) {
    super();
  }

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

  protected override onTold({ id }: Notification): void {
    this.position = id;
  }

  protected override release(): void {
    this.closing.abort();
    this.page = [];
    this.stopListening?.();
    this.stopListening = null;
  }

  protected override async find(): Promise<Notification | null> {
    while (!this.isClosed) {
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

  /** Ids are stored in their order, so that a hint of what was told already says nothing new. */
  private onHint(id: string): void {
    const known = this.page.at(-1)?.id ?? this.position;
    if (isId(id) && id > known) this.lookAgain();
  }

  private lookAgain(): void {
    this.mayHaveMore = true;
    this.wake();
  }
}
