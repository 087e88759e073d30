import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { LOGGER, type Logger } from '../common/process/logger.js';
import { Database } from '../platform/database/database.js';
import type { Transaction } from '../platform/database/transaction.js';
import { type Job, JobQueue, workRepeatedly } from '../platform/jobs/job-queue.js';
import { sweepOwedWork } from './companies.jobs.js';
import { companyIds } from './company.repository.js';

/** Enqueues the missing jobs of one company, and gives how many. */
type Sweep = (companyId: string) => Promise<number>;

/**
 * Finds rows that wait for a job that is missing from the queue, and enqueues the job again. Jobs get lost when a backup
 * is restored, or the queue is emptied by hand. Features register how to find such rows; a sweep runs every hour.
 */
@Injectable()
export class OwedWork implements OnApplicationBootstrap {
  private readonly sweeps: { name: string; sweep: Sweep }[] = [];

  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** `list` gives the data of every job that rows of the company wait for, or may wait for. */
  register<Data extends object>(job: Job<Data>, list: (tx: Transaction) => Promise<Data[]>): void {
    const sweep = async (companyId: string): Promise<number> => {
      const owed = await this.database.read(companyId, list);
      const missing = await this.jobs.listMissing(job, owed);
      if (missing.length === 0) return 0;
      await this.database.transaction(companyId, async (tx) => {
        for (const data of missing) await this.jobs.enqueue(tx, job, data);
      });
      return missing.length;
    };
    this.sweeps.push({ name: job.name, sweep });
  }

  async onApplicationBootstrap(): Promise<void> {
    await workRepeatedly(this.jobs, this.database, sweepOwedWork, (signal) => this.sweepAll(signal));
  }

  async sweepAll(signal: AbortSignal): Promise<void> {
    for await (const companyId of companyIds(this.database)) await this.sweepCompany(companyId, signal);
  }

  private async sweepCompany(companyId: string, signal: AbortSignal): Promise<void> {
    for (const { name, sweep } of this.sweeps) {
      signal.throwIfAborted();
      const count = await sweep(companyId);
      if (count > 0)
        this.logger.warn({ companyId, job: name, count }, 'jobs were missing; they are in line again');
    }
  }
}
