import type { Readable } from 'node:stream';

import type { ParsedPage, ParsedSummary } from './parsed-document.js';

/** Reads files of any format. The class is both the type and the injection token. */
export abstract class DocumentParser {
  /**
   * The pages of a file, in order. Rejects with DocumentRefused when it cannot be read, takes too long or too much
   * memory, and with the signal's reason. `content` is read to its end or destroyed. What is not asked for is not read:
   * leaving early ends everything.
   */
  abstract parse(
    content: Readable,
    file: { name: string },
    signal: AbortSignal,
  ): AsyncGenerator<ParsedPage, ParsedSummary>;
}
