import { once } from 'node:events';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { isJsonObject, type JsonObject, type JsonValue } from '@palabre/json';
import type { Piece, WorkerAnswer, WorkerInput } from './parse-worker.js';

/** The size of a piece, which takes about a millisecond to parse. */
const PIECE_CHARACTERS = 64 * 1024;
const LIMIT_MS = 15_000;
const MAX_HEAP_MB = 512;

/** Says in plain words why a text could not be parsed. */
export class Unparsable extends Error {
  override readonly name = 'Unparsable';
}

/** Works from the sources too, because Node strips types and the file imports none of ours. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './parse-worker.ts' : './parse-worker.js',
  import.meta.url,
);

/** Runs work on the caller's thread, which may measure it. */
export type OnThread = <Result>(work: () => Result) => Result;

interface ParseOptions {
  limitMs?: number;
  pieceCharacters?: number;
  /** Runs each step on the caller's thread. */
  onThread?: OnThread;
}

/**
 * Parses in a worker, and assembles the value here in steps of about a millisecond. Bytes are moved to the worker, and
 * must not be used afterwards. Rejects with Unparsable.
 */
export async function parseInThread(
  input: Pick<WorkerInput, 'text' | 'format'>,
  { limitMs = LIMIT_MS, pieceCharacters = PIECE_CHARACTERS, onThread = (work) => work() }: ParseOptions = {},
): Promise<JsonValue> {
  const answer = await askThread({ ...input, pieceCharacters }, limitMs);
  if ('fault' in answer) throw new Unparsable(answer.fault);
  return putTogether(answer, onThread);
}

async function askThread(input: WorkerInput, limitMs: number): Promise<WorkerAnswer> {
  const worker = new Worker(workerFile, {
    workerData: input,
    transferList: typeof input.text === 'string' ? [] : ownBufferOf(input.text),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // A parser's warnings do not belong in the process's log.
    stdout: true,
    stderr: true,
  });
  // Errors reject the wait below; a later one without a listener would end the process.
  worker.on('error', () => undefined);
  const overdue = AbortSignal.timeout(limitMs);
  try {
    const [answer] = (await once(worker, 'message', { signal: overdue })) as [WorkerAnswer];
    return answer;
  } catch (error) {
    const words = overdue.aborted ? 'It takes too long to be read.' : 'It is too large to be read.';
    throw new Unparsable(words, { cause: error });
  } finally {
    await worker.terminate();
  }
}

/** Small buffers share one, which must not be moved. */
function ownBufferOf({ buffer, byteLength }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

type Container = JsonObject | JsonValue[];

async function putTogether(
  { isList, pieces }: Exclude<WorkerAnswer, { fault: string }>,
  onThread: OnThread,
): Promise<JsonValue> {
  if (isList === null) return contentOf(pieces[0]);
  const whole: Container = isList ? [] : {};
  const containers = [whole];
  for (const piece of pieces) {
    const into = containers[piece.into];
    if (!into) throw new Error(`There is no list or object ${piece.into}.`);
    if ('json' in piece) {
      onThread(() => add(into, contentOf(piece)));
    } else if ('text' in piece) {
      addOne(into, piece.key, piece.text);
    } else {
      const container: Container = piece.isList ? [] : {};
      containers.push(container);
      addOne(into, piece.key, container);
    }
    await yieldToEventLoop();
  }
  return whole;
}

function contentOf(piece: Piece | undefined): JsonValue {
  return piece && 'json' in piece ? (JSON.parse(piece.json) as JsonValue) : null;
}

function addOne(container: Container, key: string, value: JsonValue): void {
  add(container, Array.isArray(container) ? [value] : { [key]: value });
}

function add(container: Container, part: JsonValue): void {
  if (Array.isArray(container)) return void (Array.isArray(part) && container.push(...part));
  for (const [key, value] of isJsonObject(part) ? Object.entries(part) : []) {
    // Set in the usual way, `__proto__` would not become a key.
    Object.defineProperty(container, key, { value, enumerable: true, writable: true, configurable: true });
  }
}
