import { notFound } from '../common/errors/domain-error.js';
import { HintedStream, type Listen } from '../platform/pubsub/hinted-stream.js';

interface FollowedConversations<Told> {
  /** Subscribes to hints, which are ids of conversations. */
  listen: Listen;
  /** The news about these conversations. Null: some hints may have been missed. */
  read(ids: readonly string[] | null): Promise<Told[]>;
  /** Whether the stream is about one conversation and ends with it. */
  isOne: boolean;
}

/** Changes of conversations from `begin` on. */
export class ConversationStream<Told> extends HintedStream<Told> {
  private readonly hinted = new Set<string>();
  private found: Told[] = [];
  private hasGap = false;

  constructor(private readonly followed: FollowedConversations<Told>) {
    super(followed);
  }

  /** Rejects with NOT_FOUND if the one conversation does not exist. */
  async begin(): Promise<this> {
    await this.listening(async () => {
      if (this.followed.isOne && (await this.followed.read(null)).length === 0)
        throw notFound('conversation', ['id']);
    });
    return this;
  }

  protected override onTold(): void {
    // An item leaves the list when `find` returns it.
  }

  protected override onHint(id: string): void {
    this.hinted.add(id);
    this.wake();
  }

  protected override onGap(): void {
    this.hasGap = true;
    this.wake();
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

  /** False: the stream has ended. */
  private async look(): Promise<boolean> {
    const ids = this.hasGap ? null : [...this.hinted];
    this.hasGap = false;
    this.hinted.clear();
    this.found = await this.readOnceConnected(() => this.followed.read(ids));
    return !this.followed.isOne || this.found.length > 0;
  }
}
