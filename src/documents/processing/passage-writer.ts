import type { ParsedPage } from '@palabre/reader';

import type { Clock } from '../../common/clock.js';
import { retryUntilConnected } from '../../platform/database/retry-until-connected.js';
import type { DocumentContent } from '../document-content.entity.js';
import type { CutPassage } from '../passages/passage.entity.js';
import type { ProcessingAttempts } from './processing-attempts.service.js';

/** Passages per transaction. */
const BATCH = 100;

/** The pause between two progress updates. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Stores passages in batches, with the progress. Waits while the database is unreachable. */
export class PassageWriter {
  /** How many passages are stored. */
  count = 0;
  readonly languages = new LanguageTally();
  private waiting: CutPassage[] = [];
  private writtenAt: number;

  constructor(
    private readonly attempts: Pick<ProcessingAttempts, 'add'>,
    private readonly content: DocumentContent,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.writtenAt = clock.now().getTime();
  }

  /** `share`: the progress of reading, 0 to 1. Rejects with Superseded. */
  async take(passages: readonly CutPassage[], share: number): Promise<void> {
    for (const passage of passages) {
      this.waiting.push(passage);
      this.languages.add(passage);
      if (this.waiting.length === BATCH) await this.write(share);
    }
    // Also without passages, for example on pages of images only: people see the progress.
    if (this.clock.now().getTime() - this.writtenAt >= PROGRESS_INTERVAL_MS) await this.write(share);
  }

  /** Stores the remaining passages. */
  async flush(share: number): Promise<void> {
    if (this.waiting.length > 0) await this.write(share);
  }

  private async write(share: number): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    await retryUntilConnected(() => this.attempts.add(this.content, this.count, batch, share), this.signal);
    this.count += batch.length;
    this.writtenAt = this.clock.now().getTime();
  }
}

/** Finds the main language of a document from its passages. */
export class LanguageTally {
  private readonly tokensOf = new Map<string, number>();

  add({ language, tokens }: Pick<CutPassage, 'language' | 'tokens'>): void {
    if (language !== null) this.tokensOf.set(language, (this.tokensOf.get(language) ?? 0) + tokens);
  }

  /** The language with the most tokens; null: no passage has a known language. */
  get most(): string | null {
    const [first] = [...this.tokensOf].toSorted(([, a], [, b]) => b - a);
    return first?.[0] ?? null;
  }
}

/** The progress when everything is read; the rest is for storing the last passages. */
const MOST = 0.98;

/**
 * Estimates the progress of reading a document. How much text is still to come is unknown, so the estimate goes by the
 * amount of text relative to the file's size, ever more slowly. It never falls.
 */
export class ReadingProgress {
  private textBytes = 0;
  private reached = 0;

  constructor(
    /** The size of the file. */
    private readonly bytes: number,
  ) {}

  /** 0 to less than 1. */
  get share(): number {
    return this.reached;
  }

  take({ markdown }: ParsedPage): void {
    this.textBytes += Buffer.byteLength(markdown);
    this.reached = Math.max(this.reached, MOST * this.estimate());
  }

  /** Reaches one half when the text has a third of the file's size. */
  private estimate(): number {
    return 1 - 2 ** ((-3 * this.textBytes) / Math.max(this.bytes, 1));
  }
}
