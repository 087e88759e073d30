import type { Readable } from 'node:stream';

import type { ParsedPage, ParsedSummary } from './parsed-document.js';
import { readInProcess, type ReadingOptions } from './process/read-in-process.js';

export type ReadOptions = Omit<ReadingOptions, 'module'>;

const module = new URL(
  import.meta.url.endsWith('.ts') ? './read-document.ts' : './read-document.js',
  import.meta.url,
);

/**
 * Reads the pages of a file of any format, in order, in a process of its own. Rejects with DocumentRefused if the file
 * cannot be read or takes too much time or memory, and with the signal's reason. Reads `content` to its end or destroys
 * it. Pages are read on demand; leaving early ends everything.
 */
export function readDocument(
  content: Readable,
  file: { name: string },
  options: ReadOptions,
): AsyncGenerator<ParsedPage, ParsedSummary> {
  return readInProcess(content, file, { ...options, module });
}
