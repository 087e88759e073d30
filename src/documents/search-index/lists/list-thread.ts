import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Semaphore } from '@palabre/async';

import type { ListWork } from './list-worker.js';

const MAX_WAIT_MS = 60_000;
const LIMIT_MS = 60_000;
const MAX_HEAP_MB = 512;

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './list-worker.ts' : './list-worker.js',
  import.meta.url,
);

/** Builds and compacts lists in a worker thread. In the main thread, this made searches six times slower. */
@Injectable()
export class ListThread implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly closing = new AbortController();
  private readonly place = new Semaphore(1, MAX_WAIT_MS, () => new Error('Too many lists are being made.'));

  /** Rejects when it takes too long, and when `signal` is aborted. */
  run<Name extends keyof ListWork>(
    name: Name,
    order: ListWork[Name]['order'],
    signal: AbortSignal,
  ): Promise<ListWork[Name]['result']> {
    return this.place.run(async () => {
      const limit = AbortSignal.any([signal, this.closing.signal, AbortSignal.timeout(LIMIT_MS)]);
      limit.throwIfAborted();
      this.worker ??= startWorker();
      try {
        const answer = once(this.worker, 'message', { signal: limit });
        this.worker.postMessage({ name, order }, []);
        const [result] = (await answer) as [ListWork[Name]['result']];
        return result;
      } catch (error) {
        // The worker's late response must not be taken for that of the next order.
        await this.stop();
        throw error;
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort(new Error('The process is stopping.'));
    await this.stop();
  }

  private async stop(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // The pending `once` rejects on errors; without any listener an error would end the process.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}
