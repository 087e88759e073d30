import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairSemaphore } from '@palabre/async';

import { SkillError } from '../../skill.js';
import type { PageContent } from './page-worker.js';

/** The most pages that are read at once. A small machine needs its other cores. */
const WORKERS = { all: 3, ofOne: 2 };
/** The most waiting pages of a company. */
const MAX_WAITING = 50;
const PAGE_LIMIT_MS = 8_000;
const MAX_HEAP_MB = 256;

/** Works from the sources too, because Node strips types and the file imports none of ours. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './page-worker.ts' : './page-worker.js',
  import.meta.url,
);

interface Page {
  html: string;
  url: string;
}

/** Thrown when parsing a page takes too long or too much memory. */
export class UnreadablePage extends SkillError {}

/** Parses pages in worker threads. A page that takes too long loses its thread. */
@Injectable()
export class PageReader implements OnApplicationShutdown {
  private readonly idle: Worker[] = [];
  private readonly closing = new AbortController();
  private readonly places = new FairSemaphore(
    WORKERS,
    MAX_WAITING,
    () => new UnreadablePage('Too many pages.'),
  );

  /** Rejects with UnreadablePage, or with the signal's reason. */
  read(companyId: string, page: Page, signal: AbortSignal, limitMs = PAGE_LIMIT_MS): Promise<PageContent> {
    const parse = async (): Promise<PageContent> => {
      signal.throwIfAborted();
      const worker = this.idle.pop() ?? startWorker();
      const limit = AbortSignal.any([signal, this.closing.signal, AbortSignal.timeout(limitMs)]);
      try {
        const content = await answerOf(worker, page, limit);
        this.idle.push(worker);
        return content;
      } catch (error) {
        await worker.terminate();
        signal.throwIfAborted();
        throw new UnreadablePage('The page takes too long to be read.', { cause: error });
      }
    };
    return this.places.run(companyId, parse, signal);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.idle.splice(0).map((worker) => worker.terminate()));
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerFile, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  // The pending read rejects by itself; without a listener the error would end the process.
  worker.on('error', () => undefined);
  worker.unref();
  return worker;
}

async function answerOf(worker: Worker, page: Page, signal: AbortSignal): Promise<PageContent> {
  const answer = once(worker, 'message', { signal }) as Promise<[PageContent]>;
  worker.postMessage(page, []);
  const [content] = await answer;
  return content;
}
