import type { Transaction } from '../database/transaction.js';
import { type Job, JobQueue } from './job-queue.js';

/** An enqueued job. */
export interface WaitingWork {
  name: string;
  data: object;
  startAfterSeconds: number;
}

type Handler = (data: object, signal: AbortSignal) => Promise<void>;

/** A queue for tests: shows all enqueued jobs, duplicates too, and runs a job on command. */
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

  override async listMissing<Data extends object>(job: Job<Data>, pieces: readonly Data[]): Promise<Data[]> {
    const waiting = this.waiting.filter(({ name }) => name === job.name);
    const keys = new Set(waiting.map(({ data }) => job.keyOf(job.data.parse(data))));
    return pieces.filter((data) => !keys.has(job.keyOf(data)));
  }

  override async removeOf(companyId: string, except: Pick<Job<never>, 'name'>): Promise<void> {
    const left = this.waiting.filter(
      ({ name, data }) => name === except.name || !('companyId' in data) || data.companyId !== companyId,
    );
    this.waiting.splice(0, this.waiting.length, ...left);
  }

  override async work<Data extends object>(
    job: Job<Data>,
    handle: (data: Data, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.takesWork) this.handlers.set(job.name, (data, signal) => handle(job.data.parse(data), signal));
  }

  /** Runs the handler given to `work`. Rejects when there is none, or when it rejects. */
  async carryOut(name: string, data: object, signal = new AbortController().signal): Promise<void> {
    const handler = this.handlers.get(name);
    if (!handler) throw new Error(`Nobody takes work of the name ${name}.`);
    await handler(data, signal);
  }
}
