import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What somebody saw who did nothing wrong. Times in milliseconds. */
export interface Seen {
  requests: number[];
  /** From the question to the end of its answer. */
  questions: number[];
  /** Why each request had no answer, or not the one that it should. */
  lost: string[];
}

/** Somebody of another company, in a thread that no attack keeps busy. */
export class HonestClient implements AsyncDisposable {
  private constructor(private readonly worker: Worker) {}

  /** `lostAfterMs`: for how long it waits for an answer. */
  static start(url: string, token: string, lostAfterMs: number): HonestClient {
    const workerData = { url, token, lostAfterMs };
    return new HonestClient(new Worker(new URL('honest-thread.js', import.meta.url), { workerData }));
  }

  /** What became of all that was asked since the last time. Resolves when nothing of it is under way. */
  async seen(): Promise<Seen> {
    this.worker.postMessage('seen', []);
    const [seen] = (await once(this.worker, 'message')) as [Seen];
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worker.terminate();
  }
}
