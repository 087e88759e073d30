import type { Readable } from 'node:stream';

import type { ParsedPage, ParsedSummary } from '@palabre/reader';

/** Reads files of any format. The class is both the type and the injection token. */
export abstract class DocumentParser {
  /**
   * The pages of a file, in order, read on demand; returning early stops the parser. Rejects with DocumentRefused when the
   * file cannot be read or takes too much time or memory, and with the signal's reason. Reads `content` to its end or
   * destroys it.
   */
  abstract parse(
    content: Readable,
    file: { name: string },
    signal: AbortSignal,
  ): AsyncGenerator<ParsedPage, ParsedSummary>;
}
