import { Injectable } from '@nestjs/common';
import { DocumentRefused, type ParsedPage, type ParsedSummary, remark } from '@palabre/reader';
import { Tokenizer } from '@palabre/llm-client';
import { singleLine } from '@palabre/text';
import { type CutPassage, LanguageDetector, PassageCutter } from '@palabre/passages';

import { Clock } from '../../common/clock.js';
import { retryUntilConnected } from '../../platform/database/retry-until-connected.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import type { DocumentContent } from '../document-content.repository.js';
import { DocumentParser } from './document-parser.js';
import { ProcessingAttempts } from './processing-attempts.service.js';

const MAX_WARNINGS = 20;
const MAX_CHARACTERS = 500;

/** Extracts the passages of a content: reads the file, parses it, cuts it and stores the passages. */
@Injectable()
export class PassageExtraction {
  constructor(
    private readonly storage: FileStorage,
    private readonly parser: DocumentParser,
    private readonly tokenizer: Tokenizer,
    private readonly attempts: ProcessingAttempts,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends with the content COMPLETED, or FAILED if it has no text. Rejects with DocumentRefused, FileNotFound, Superseded,
   * or the signal's reason.
   */
  async extract(content: DocumentContent, signal: AbortSignal): Promise<void> {
    const writer = new PassageWriter(this.attempts, content, this.clock, signal);
    const summary = await this.read(content, writer, signal);
    const { mediaType, pages } = summary;
    const warnings = summary.warnings.slice(0, MAX_WARNINGS);
    const read = { mediaType: singleLine(mediaType, MAX_CHARACTERS), pages, warnings };
    await retryUntilConnected(
      () =>
        writer.count === 0
          ? this.attempts.fail(content, { ...read, error: [remark('NO_TEXT'), ...warnings] })
          : this.attempts.complete(content, { ...read, language: writer.languages.most }),
      signal,
    );
  }

  private async read(
    content: DocumentContent,
    writer: PassageWriter,
    signal: AbortSignal,
  ): Promise<ParsedSummary> {
    const cutter = new PassageCutter(this.tokenizer, await LanguageDetector.load());
    const progress = new ReadingProgress(content.bytes);
    const ends: ParsedSummary[] = [];
    for await (const page of this.pagesOf(content, signal, (end) => ends.push(end))) {
      const passages = await cutter.push(page);
      progress.take(page);
      await writer.take(passages, progress.share);
    }
    await writer.take(await cutter.end(), progress.share);
    await writer.flush(progress.share);
    const [summary] = ends;
    if (!summary) throw new Error('The parser has come to an end without saying so.');
    return summary;
  }

  private async *pagesOf(
    { storageKey, name, bytes }: DocumentContent,
    signal: AbortSignal,
    onEnd: (summary: ParsedSummary) => void,
  ): AsyncGenerator<ParsedPage, void> {
    if (bytes === 0) throw new DocumentRefused(remark('EMPTY'));
    const file = await this.storage.read(storageKey, signal);
    onEnd(yield* this.parser.parse(file, { name }, signal));
  }
}

const BATCH = 100;

const PROGRESS_INTERVAL_MS = 1_000;

/** Stores passages in batches, with the progress. Waits while the database is unreachable. */
class PassageWriter {
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
    // Also called without passages, for example for pages of images, to show progress.
    if (this.clock.now().getTime() - this.writtenAt >= PROGRESS_INTERVAL_MS) await this.write(share);
  }

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

  constructor(private readonly bytes: number) {}

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
