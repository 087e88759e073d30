/**
 * The main program of the process that reads one file and cannot harm the server. It takes the file from standard input
 * and writes frames of JSON to standard output. Our own modules are imported after the module hook is registered, so that
 * it also runs from source.
 */
import { Console } from 'node:console';
import { once } from 'node:events';

import type { ReadFile } from '../page-reader.js';
import type { ParsedPage, ParsedSummary } from '../parsed-document.js';
import type { ReaderMessage, ReaderOrder } from './reader-messages.js';

/** The export of the module that the process is started with. Throws DocumentRefused. */
export interface DocumentReading {
  readDocument(file: ReadFile): AsyncGenerator<ParsedPage, ParsedSummary>;
}

if (import.meta.url.endsWith('.ts')) await import(new URL('source-hooks.ts', import.meta.url).href);

// Libraries must not write between the messages.
globalThis.console = new Console(process.stderr, process.stderr);

// Reading a file needs no network.
for (const name of ['fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);

const [, , moduleUrl = ''] = process.argv;
const { framesOf, MAX_PIECE_CHARACTERS, writeFrame } = await import('./frames.js');
const { slicesOf } = await import('../text-slices.js');
const { refusalOf } = await import('../reader-failure.js');
const { endMessage, refusedMessage } = await import('./reader-messages.js');
const { readDocument } = (await import(moduleUrl)) as DocumentReading;

/** Null: the parent has gone. */
async function receive(): Promise<ReadFile | null> {
  const frames = framesOf(process.stdin);
  const { value: order } = await frames.next();
  if (order === undefined) return null;
  const { name } = JSON.parse(order.toString()) as ReaderOrder;
  const chunks: Buffer[] = [];
  for await (const chunk of frames) {
    if (chunk.byteLength === 0) return { name, bytes: Buffer.concat(chunks) };
    chunks.push(chunk);
  }
  return null;
}

function write(message: ReaderMessage, done?: () => void): boolean {
  return writeFrame(process.stdout, Buffer.from(JSON.stringify(message)), done);
}

async function tell(message: ReaderMessage): Promise<void> {
  if (!write(message)) await once(process.stdout, 'drain');
}

async function read(file: ReadFile): Promise<ReaderMessage> {
  const pages = readDocument(file);
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return endMessage(value);
    for (const markdown of slicesOf(value.markdown, MAX_PIECE_CHARACTERS))
      await tell({ type: 'page', number: value.number, markdown });
  }
}

const file = await receive();
if (file === null) process.exit(1);
// Standard input stays open as long as the parent waits.
process.stdin.once('end', () => process.exit(1)).resume();
const last = await read(file).catch((error: unknown) => refusedMessage(refusalOf(error, null)));
write(last, () => process.exit(0));
