import type { Readable } from 'node:stream';

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type ParsedPage, type ParsedSummary, readDocument } from '@palabre/reader';

import { Config } from '../../common/config/config.js';
import { type Logger, LOGGER } from '../../common/process/logger.js';
import { DocumentParser } from './document-parser.js';

/** Parses each document in a child process of its own. */
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
