import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { DomainError } from '../../../common/errors/domain-error.js';
import type { JsonValue } from '../../../common/json.js';
import { Semaphore } from '../../../common/semaphore.js';

const USUAL_LIMIT_MS = 15_000;
const MAX_HEAP_MB = 256;
const MAX_WORKERS = 2;
const MAX_WAIT_MS = 20_000;

/** Why a text is not read as YAML, in words for people. */
export class BadYaml extends Error {
  override readonly name = 'BadYaml';
}

const places = new Semaphore(
  MAX_WORKERS,
  MAX_WAIT_MS,
  () => new DomainError('UNAVAILABLE', 'Other documents are being read: try again in a moment.'),
);

/** Runs from the sources, too: Node takes the types out of a file that imports nothing of ours. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './yaml-worker.ts' : './yaml-worker.js',
  import.meta.url,
);

/**
 * Reads YAML in a thread of its own, which takes it no longer than its time: there are short texts that take a reader
 * ages. Rejects with BadYaml when it is none, or takes too long; with UNAVAILABLE while too many others are read.
 */
export const readYaml = (text: string, limitMs = USUAL_LIMIT_MS): Promise<JsonValue> =>
  places.run(() => readInThread(text, limitMs));

/** What the thread says in the end. */
type Read = { json: string } | { fault: string };

const readInThread = async (text: string, limitMs: number): Promise<JsonValue> => {
  const worker = new Worker(workerFile, {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // What the parser may want to say is no matter of the process.
    stdout: true,
    stderr: true,
  });
  // Whoever waits hears of it; later, when nobody does, it would end the process.
  worker.on('error', () => undefined);
  const overdue = AbortSignal.timeout(limitMs);
  try {
    const [read] = (await once(worker, 'message', { signal: overdue })) as [Read];
    if ('fault' in read) throw new BadYaml(read.fault);
    return JSON.parse(read.json) as JsonValue;
  } catch (error) {
    if (error instanceof BadYaml) throw error;
    const words = overdue.aborted ? 'It takes too long to be read.' : 'It is too large to be read.';
    throw new BadYaml(words, { cause: error });
  } finally {
    await worker.terminate();
  }
};
