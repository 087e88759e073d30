import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Readable } from 'node:stream';

import { binaryFormatOf, hasControls } from './format/binary-format.js';
import { DocumentRefused, type ParsedPage, type ParsedSummary } from './parsed-document.js';
import { readDocument } from './read-document.js';
import { decodeText } from './text/encoding/decode-text.js';
import { textFormatOf } from './text/text-format.js';
import { slicesOf } from './text-slices.js';
import { MAX_PIECE_CHARACTERS } from './process/frames.js';
import { ReadingLimit } from './process/reading-limit.js';

/** A larger text could hold the thread for longer than a few milliseconds. */
const MAX_BYTES = 64 * 1024;

/** The start of a stream. `bytes` is the whole content, or null if it is too long. `rest` has everything. */
interface Beginning {
  bytes: Buffer | null;
  rest: Readable;
}

/** Rejects with the error that destroyed the content. */
export async function beginningOf(content: Readable): Promise<Beginning> {
  const chunks: Buffer[] = [];
  let length = 0;
  const iterator = content.iterator({ destroyOnReturn: false });
  for (;;) {
    const { done, value } = (await iterator.next()) as IteratorResult<Buffer, undefined>;
    if (done) return { bytes: Buffer.concat(chunks), rest: Readable.from(chunks) };
    chunks.push(value);
    length += value.byteLength;
    if (length > MAX_BYTES) break;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield* chunks;
    yield* iterator as AsyncIterable<Buffer>;
  }
  return { bytes: null, rest: Readable.from(whole()) };
}

/** Whether the bytes are a text with a harmless reader: neither HTML nor a binary format. */
export async function isPlainText(bytes: Buffer, name: string): Promise<boolean> {
  try {
    // Detecting an archive's format means opening it, which may take long.
    if (bytes.byteLength === 0 || hasControls(bytes)) return false;
    if ((await binaryFormatOf(bytes)) !== null) return false;
    return textFormatOf(decodeText(bytes).text, name) !== 'html';
  } catch (error) {
    // A refused format is refused here too.
    return error instanceof DocumentRefused;
  }
}

/** Reads a small text in this thread, pausing after each piece. Rejects with DocumentRefused and the signal's reason. */
export async function* readSmallText(
  file: { bytes: Buffer; name: string },
  signal: AbortSignal,
): AsyncGenerator<ParsedPage, ParsedSummary> {
  const reading = new ReadingLimit();
  const pages = readDocument(file);
  for (;;) {
    signal.throwIfAborted();
    const { done, value } = await pages.next();
    if (done) return reading.end(value);
    for (const markdown of slicesOf(value.markdown, MAX_PIECE_CHARACTERS))
      yield reading.take({ number: value.number, markdown });
    await yieldToEventLoop();
  }
}
