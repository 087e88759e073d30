import type { Readable } from 'node:stream';

import type { ParsedPage, ParsedSummary } from './parsed-document.js';
import { readInProcess, type ReadingOptions } from './process/read-in-process.js';
import { beginningOf, isPlainText, readSmallText } from './read-small-text.js';

export type ReadOptions = Omit<ReadingOptions, 'module'>;

const module = new URL(
  import.meta.url.endsWith('.ts') ? './read-document.ts' : './read-document.js',
  import.meta.url,
);

/**
 * Reads the pages of a file of any format, in order. A small text, Markdown or CSV file is read in this thread,
 * anything else in a process of its own. Rejects with DocumentRefused if the file is unreadable or takes too much
 * time or memory, and with the signal's reason. Reads or destroys `content`. Pages are read on demand, and leaving
 * early ends everything.
 */
export async function* readDocument(
  content: Readable,
  file: { name: string },
  options: ReadOptions,
): AsyncGenerator<ParsedPage, ParsedSummary> {
  const { signal } = options;
  const onAbort = (): void => void content.destroy(signal.reason as Error);
  // Without a listener, an early error of the content would end the server.
  content.on('error', () => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) onAbort();
    signal.throwIfAborted();
    const { bytes, rest } = await beginningOf(content);
    if (bytes && (await isPlainText(bytes, file.name)))
      return yield* readSmallText({ bytes, name: file.name }, signal);
    return yield* readInProcess(rest, file, { ...options, module });
  } finally {
    signal.removeEventListener('abort', onAbort);
    content.destroy();
  }
}
