import type { Clock } from '../../common/clock.js';
import { patiently } from '../../database/patiently.js';
import type { DocumentContent } from '../document-content.entity.js';
import type { CutPassage } from '../passages/cut-passage.js';
import type { Attempts } from './attempts.service.js';
import { LanguageTally } from './language-tally.js';

/** So many go into one transaction. */
const BATCH = 100;

/** For so long nothing is told of what has been read. */
const QUIET_MS = 1_000;

/** Stores passages as they come, some at a time, with how far the reading is. Waits while the database is away. */
export class PassageWriter {
  /** How many are stored. */
  count = 0;
  readonly languages = new LanguageTally();
  private waiting: CutPassage[] = [];
  private writtenAt: number;

  constructor(
    private readonly attempts: Pick<Attempts, 'add'>,
    private readonly content: DocumentContent,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.writtenAt = clock.now().getTime();
  }

  /** `share`: of all that is to be read, from 0 to 1. Rejects with Superseded. */
  async take(passages: readonly CutPassage[], share: number): Promise<void> {
    for (const passage of passages) {
      this.waiting.push(passage);
      this.languages.add(passage);
      if (this.waiting.length === BATCH) await this.write(share);
    }
    // Also without any, as with pages of nothing but images: whoever waits sees that it goes on.
    if (this.clock.now().getTime() - this.writtenAt >= QUIET_MS) await this.write(share);
  }

  /** Stores what has come so far. */
  async flush(share: number): Promise<void> {
    if (this.waiting.length > 0) await this.write(share);
  }

  private async write(share: number): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    await patiently(() => this.attempts.add(this.content, this.count, batch, share), this.signal);
    this.count += batch.length;
    this.writtenAt = this.clock.now().getTime();
  }
}
