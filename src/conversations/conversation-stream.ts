import { notFound } from '../common/errors/domain-error.js';
import { LiveStream } from '../common/live-stream.js';
import { retryUntilConnected } from '../platform/database/retry-until-connected.js';

/** Each member has topics, so that listeners are woken by that member's conversations only. Payloads are their ids. */
export const conversationTopics = {
  changed: (memberId: string): string => `conversation.changed.${memberId}`,
  deleted: (memberId: string): string => `conversation.deleted.${memberId}`,
};

interface FollowedConversations<Told> {
  /** Calls `onHint` with ids, and `onGap` when some may have been missed, until the returned function is called. */
  listen(onHint: (id: string) => void, onGap: () => void): () => void;
  /** What is to be told of these; null: some may have been missed. */
  read(ids: readonly string[] | null): Promise<Told[]>;
  /** It is one conversation, and nothing more is to be told once it is gone. */
  isOne: boolean;
}

/** What happens to conversations from `begin` on. Slow clients skip intermediate states. */
export class ConversationStream<Told> extends LiveStream<Told> {
  private readonly hinted = new Set<string>();
  private found: Told[] = [];
  private hasGap = false;
  private stopListening: (() => void) | null = null;
  private readonly closing = new AbortController();

  constructor(private readonly followed: FollowedConversations<Told>) {
    super();
  }

  /** Rejects with NOT_FOUND if it is one conversation that is not there. */
  async begin(): Promise<this> {
    try {
      // Listens before reading: later changes wake us.
      this.stopListening = this.followed.listen(
        (id) => {
          this.hinted.add(id);
          this.wake();
        },
        () => {
          this.hasGap = true;
          this.wake();
        },
      );
      if (this.followed.isOne && (await this.followed.read(null)).length === 0) {
        throw notFound('conversation', ['id']);
      }
      return this;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  protected override onTold(): void {
    // What is told was taken off the list when it was found.
  }

  protected override release(): void {
    this.closing.abort();
    this.stopListening?.();
    this.stopListening = null;
  }

  protected override async find(): Promise<Told | null> {
    while (!this.isClosed) {
      const next = this.found.shift();
      if (next !== undefined) return next;
      if (this.hinted.size === 0 && !this.hasGap) await this.wait();
      else if (!(await this.look())) return null;
    }
    return null;
  }

  /** False: nothing will come any more. */
  private async look(): Promise<boolean> {
    const ids = this.hasGap ? null : [...this.hinted];
    this.hasGap = false;
    this.hinted.clear();
    this.found = await retryUntilConnected(() => this.followed.read(ids), this.closing.signal);
    return !this.followed.isOne || this.found.length > 0;
  }
}
