import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { singleLine } from '../../common/text/data-text.js';
import { patiently } from '../../database/patiently.js';
import { FileNotFound, FileStorage } from '../../storage/file-storage.js';
import type { DocumentContent } from '../document-content.entity.js';
import { DocumentParser } from '../parsing/document-parser.js';
import { DocumentRefused, type ParsedPage, type ParsedSummary } from '../parsing/parsed-document.js';
import { PassageCutters } from '../passages/passage-cutters.service.js';
import { Attempts } from './attempts.service.js';
import { PassageWriter } from './passage-writer.js';
import { ReadingProgress } from './reading-progress.js';

const MOST_WARNINGS = 20;
const MOST_CHARACTERS = 500;

const NO_TEXT = 'There is no text in this document.';

/** Makes passages of a content, from its first byte to its end. */
@Injectable()
export class DocumentWork {
  constructor(
    private readonly storage: FileStorage,
    private readonly parser: DocumentParser,
    private readonly cutters: PassageCutters,
    private readonly attempts: Attempts,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends in COMPLETED, or FAILED where there is no text. Rejects with DocumentRefused, with Superseded, and with the
   * signal's reason.
   */
  async carryOut(content: DocumentContent, signal: AbortSignal): Promise<void> {
    const writer = new PassageWriter(this.attempts, content, this.clock, signal);
    const summary = await this.read(content, writer, signal);
    const { mediaType, pages } = summary;
    const warnings = summary.warnings.slice(0, MOST_WARNINGS).map(shown);
    const read = { mediaType: shown(mediaType), pages, warnings };
    await patiently(
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
    const cutter = await this.cutters.open();
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
      throw error instanceof FileNotFound ? lost(error) : error;
    });
    onEnd(yield* this.parser.parse(file, { name }, signal));
  }
}

/** As far as a database and people can read it. */
const shown = (text: string): string => singleLine(text, MOST_CHARACTERS);

const lost = (cause: FileNotFound): DocumentRefused =>
  new DocumentRefused('The bytes of this document are lost. Please upload it again.', { cause });
