import { Injectable } from '@nestjs/common';
import { DocumentRefused, type ParsedPage, type ParsedSummary } from '@palabre/reader';

import { Clock } from '../../common/clock.js';
import { singleLine } from '../../common/text/data-text.js';
import { Tokenizer } from '../../llm/tokenizer.js';
import { retryUntilConnected } from '../../platform/database/retry-until-connected.js';
import { FileNotFound, FileStorage } from '../../platform/storage/file-storage.js';
import type { DocumentContent } from '../document-content.entity.js';
import { LanguageDetector } from '../passages/language-detector.js';
import { PassageCutter } from '../passages/passage-cutter.js';
import { DocumentParser } from './document-parser.js';
import { PassageWriter, ReadingProgress } from './passage-writer.js';
import { ProcessingAttempts } from './processing-attempts.service.js';

const MAX_WARNINGS = 20;
const MAX_CHARACTERS = 500;

const NO_TEXT = 'There is no text in this document.';

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
   * Ends with the content COMPLETED, or FAILED if it has no text. Rejects with DocumentRefused, Superseded, or the signal's
   * reason.
   */
  async extract(content: DocumentContent, signal: AbortSignal): Promise<void> {
    const writer = new PassageWriter(this.attempts, content, this.clock, signal);
    const summary = await this.read(content, writer, signal);
    const { mediaType, pages } = summary;
    const warnings = summary.warnings.slice(0, MAX_WARNINGS).map(displayText);
    const read = { mediaType: displayText(mediaType), pages, warnings };
    await retryUntilConnected(
      () =>
        writer.count === 0
          ? this.attempts.fail(content, { ...read, error: [NO_TEXT, ...warnings].join(' ') })
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
    if (bytes === 0) throw new DocumentRefused('The file is empty.');
    const file = await this.storage.read(storageKey, signal).catch((error: unknown) => {
      throw error instanceof FileNotFound ? bytesLost(error) : error;
    });
    onEnd(yield* this.parser.parse(file, { name }, signal));
  }
}

/** On one line of bounded length, for the database and for people. */
function displayText(text: string): string {
  return singleLine(text, MAX_CHARACTERS);
}

function bytesLost(cause: FileNotFound): DocumentRefused {
  return new DocumentRefused('The bytes of this document are lost. Please upload it again.', { cause });
}
