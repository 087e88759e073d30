import type { Readable } from 'node:stream';

import { type ParsedPage, type ParsedSummary, readDocument } from '@palabre/reader';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Config } from '../../common/config/config.js';
import { type Logger, LOGGER } from '../../common/process/logger.js';

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

/** Parses small texts in this process, and each other document in a child process of its own. */
@Injectable()
export class ParserProcess extends DocumentParser implements OnApplicationShutdown {
  private readonly closing = new AbortController();

  constructor(
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  async *parse(
    content: Readable,
    file: { name: string },
    signal: AbortSignal,
  ): AsyncGenerator<ParsedPage, ParsedSummary> {
    const either = AbortSignal.any([signal, this.closing.signal]);
    return yield* readDocument(content, file, {
      limits: this.config.documents,
      logger: this.logger,
      signal: either,
    });
  }

  onApplicationShutdown(): void {
    this.closing.abort(new Error('The server is stopping.'));
  }
}
