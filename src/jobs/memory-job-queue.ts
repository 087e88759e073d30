import type { Transaction } from '../database/transaction.js';
import { type Job, JobQueue } from './job-queue.js';

/** A piece of work as it was put in line. */
export interface WaitingWork {
  name: string;
  data: object;
  startAfterSeconds: number;
}

type Handler = (data: object, signal: AbortSignal) => Promise<void>;

/** A queue for tests: shows all that was put in line, also twice, and carries a piece out when it is told to. */
export class MemoryJobQueue extends JobQueue {
  readonly waiting: WaitingWork[] = [];
  private readonly handlers = new Map<string, Handler>();

  constructor(override readonly takesWork = true) {
    super();
  }

  override async enqueue<Data extends object>(
    _tx: Transaction,
    { name }: Job<Data>,
    data: Data,
    { startAfterSeconds = 0 }: { startAfterSeconds?: number } = {},
  ): Promise<void> {
    this.waiting.push({ name, data, startAfterSeconds });
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.takesWork) this.handlers.set(job.name, (data, signal) => handle(job.data.parse(data), signal));
  }

  /** Does what `work` was told to do; rejects where nobody takes such work, or what is done for it rejects. */
  async carryOut(name: string, data: object, signal = new AbortController().signal): Promise<void> {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`Nobody takes work of the name ${name}.`);
    await handler(data, signal);
  }
}
