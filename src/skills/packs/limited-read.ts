import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

import { PackRefused } from './pack-refused.js';

// A link in the place of a file that was looked at is not followed, and a pipe is not waited for.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file's content; null: it has more than `maxBytes`. */
export async function readFileUpTo(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  signal.throwIfAborted();
  await using file = await open(path, FLAGS);
  const facts = await file.stat();
  if (!facts.isFile()) throw new PackRefused('It is no ordinary file.');
  if (facts.size > maxBytes) return null;
  const content = Buffer.alloc(facts.size);
  let bytes = 0;
  while (bytes < content.byteLength) {
    const { bytesRead } = await file.read(content, bytes);
    signal.throwIfAborted();
    // The file was truncated meanwhile.
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return content.subarray(0, bytes);
}

/** The same of a stream, which is destroyed in the end, and of which no more than a little beyond the limit is read. */
export async function readStreamUpTo(stream: Readable, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
  }
  return Buffer.concat(chunks);
}
