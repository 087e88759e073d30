import type { Append } from '../turn-event.repository.js';
import type { Committer, TurnWriter } from './turn-writer.js';

/** Text that comes within this time of the last commit waits for the next one. */
const WINDOW_MS = 25;

/** What became of one writer's part: null, it is stored; or why it cannot be. Never rejects. */
export type Store = (parts: readonly Append[]) => Promise<({ error: unknown } | null)[]>;

/**
 * One line for all that the turns of this process have to store: what waits goes together in one commit, at once when
 * something urgent does, otherwise 25 ms after the last; and one commit is under way at a time.
 *
 * One commit for all costs a fraction of one each: what is dear is the commit, not the row.
 */
export class GroupCommit implements Committer {
  private readonly waiting = new Set<TurnWriter>();
  private urgent = false;
  private soon: NodeJS.Immediate | null = null;
  private later: NodeJS.Timeout | null = null;
  private line: Promise<void> = Promise.resolve();
  private committing = false;
  private lastCommitAt = 0;

  constructor(private readonly store: Store) {}

  offer(writer: TurnWriter, urgent: boolean): void {
    this.waiting.add(writer);
    this.urgent ||= urgent;
    this.schedule();
  }

  /** Runs `work` between two commits. Both change rows of many turns, and would wait for each other's. */
  inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.line.then(work);
    this.line = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  private schedule(): void {
    // What comes while a commit is under way is looked at when it is over.
    if (this.committing || this.waiting.size === 0) return;
    if (this.urgent) {
      // At once means after this round of the event loop: what one read of the sockets brought goes together.
      this.soon ??= setImmediate(() => this.begin());
    } else {
      const ms = Math.max(0, this.lastCommitAt + WINDOW_MS - performance.now());
      this.later ??= setTimeout(() => this.begin(), ms);
    }
  }

  private begin(): void {
    if (this.soon) clearImmediate(this.soon);
    if (this.later) clearTimeout(this.later);
    this.soon = null;
    this.later = null;
    this.committing = true;
    void this.inLine(() => this.commit()).finally(() => {
      this.committing = false;
      this.schedule();
    });
  }

  private async commit(): Promise<void> {
    this.lastCommitAt = performance.now();
    const writers: TurnWriter[] = [];
    const parts: Append[] = [];
    for (const writer of this.waiting) {
      const part = writer.take();
      if (!part) continue;
      writers.push(writer);
      parts.push(part);
    }
    this.waiting.clear();
    this.urgent = false;
    if (parts.length === 0) return;
    const outcomes = await this.store(parts);
    for (const [index, writer] of writers.entries()) writer.settle(outcomes[index] ?? null);
  }
}
