import { notFound } from '../common/errors/domain-error.js';
import { HintedStream, type Listen } from '../platform/pubsub/hinted-stream.js';

interface FollowedConversations<Told> {
  /** The hints are ids of conversations. */
  listen: Listen;
  /** What is to be told of these; null: some may have been missed. */
  read(ids: readonly string[] | null): Promise<Told[]>;
  /** It is one conversation, and nothing more is to be told once it is gone. */
  isOne: boolean;
}

/** What happens to conversations from `begin` on. */
export class ConversationStream<Told> extends HintedStream<Told> {
  private readonly hinted = new Set<string>();
  private found: Told[] = [];
  private hasGap = false;

  constructor(private readonly followed: FollowedConversations<Told>) {
    super(followed);
  }

  /** Rejects with NOT_FOUND if it is one conversation that is not there. */
  async begin(): Promise<this> {
    await this.listening(async () => {
      if (this.followed.isOne && (await this.followed.read(null)).length === 0) {
        throw notFound('conversation', ['id']);
      }
    });
    return this;
  }

  protected override onTold(): void {
    // What is told was taken off the list when it was found.
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

  /** False: nothing will come any more. */
  private async look(): Promise<boolean> {
    const ids = this.hasGap ? null : [...this.hinted];
    this.hasGap = false;
    this.hinted.clear();
    this.found = await this.readOnceConnected(() => this.followed.read(ids));
    return !this.followed.isOne || this.found.length > 0;
  }
}
