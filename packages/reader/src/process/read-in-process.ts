import type { Readable } from 'node:stream';

import { DocumentRefused, type ParsedPage, type ParsedSummary } from '../parsed-document.js';
import type { ReaderLimits } from './launcher-messages.js';
import { ReaderProcess } from './reader-process.js';
import { ReadingLimit } from './reading-limit.js';

/** Receives complaints of readers and libraries, for operators. */
export interface ReaderLogger {
  warn(details: object, message: string): void;
}

export interface ReadingOptions {
  /** Exports `readDocument`, which the process calls. */
  module: URL;
  limits: ReaderLimits;
  logger: ReaderLogger;
  signal: AbortSignal;
}

/** Reads the pages of a file in a process of its own. Leaving early ends the process. */
export async function* readInProcess(
  content: Readable,
  { name }: { name: string },
  { module, limits, logger, signal }: ReadingOptions,
): AsyncGenerator<ParsedPage, ParsedSummary> {
  // Without a listener, an early error of the content would end the server.
  content.on('error', () => undefined);
  if (signal.aborted) content.destroy();
  signal.throwIfAborted();
  const child = new ReaderProcess(module, limits);
  const onAbort = (): void => child.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const reading = new ReadingLimit();
  try {
    void child.feed({ name }, content);
    for await (const message of child.messages()) {
      if (message.type === 'page') yield reading.take(message);
      else if (message.type === 'end') return reading.end(message.summary);
      else {
        if (message.detail !== null) logger.warn({ detail: message.detail }, 'A document cannot be read.');
        throw new DocumentRefused(message.remarks);
      }
    }
    throw new Error('The process that reads documents has said nothing.');
  } finally {
    signal.removeEventListener('abort', onAbort);
    content.destroy();
    await child.end();
    if (child.complaint !== '')
      logger.warn({ complaint: child.complaint }, 'What a reader of documents said.');
  }
}
