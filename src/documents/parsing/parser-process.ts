import type { Readable } from 'node:stream';

import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { type Logger, LOGGER } from '../../common/process/logger.js';
import { Config } from '../../config/config.js';
import { DocumentParser } from './document-parser.js';
import type { ParsedPage, ParsedSummary } from './parsed-document.js';
import { readInProcess } from './process/read-in-process.js';

const readDocument = new URL(
  import.meta.url.endsWith('.ts') ? './read-document.ts' : './read-document.js',
  import.meta.url,
);

/** Reads each document in a process of its own, which ends with it, whatever becomes of either. */
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
    return yield* readInProcess(content, file, {
      module: readDocument,
      limits: this.config.documents,
      logger: this.logger,
      signal: either,
    });
  }

  onApplicationShutdown(): void {
    this.closing.abort(new Error('The server is stopping.'));
  }
}
