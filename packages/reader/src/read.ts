import type { Readable } from 'node:stream';

import type { ParsedPage, ParsedSummary } from './parsed-document.js';
import { readInProcess, type ReadingOptions } from './process/read-in-process.js';

export type ReadOptions = Omit<ReadingOptions, 'module'>;

const module = new URL(
  import.meta.url.endsWith('.ts') ? './read-document.ts' : './read-document.js',
  import.meta.url,
);

/**
 * The pages of a file of any format, in order, read in a process of its own that ends with them. Rejects with
 * DocumentRefused when it cannot be read, takes too long or too much memory, and with the signal's reason. `content` is
 * read to its end or destroyed. What is not asked for is not read: leaving early ends everything.
 */
export function readDocument(
  content: Readable,
  file: { name: string },
  options: ReadOptions,
): AsyncGenerator<ParsedPage, ParsedSummary> {
  return readInProcess(content, file, { ...options, module });
}
