import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { type Job, JobQueue } from '../../jobs/job-queue.js';
import { AwaitedDocuments } from './awaited-documents.service.js';

const NoData = z.object({});

/** Gives up documents whose bytes never came. One such job waits at most, of however many replicas. */
export const giveUpDocuments: Job<z.output<typeof NoData>> = {
  name: 'give-up-documents',
  data: NoData,
  keyOf: () => 'all',
};

const EVERY_SECONDS = 3_600;

/** Looks every hour, in processes that work, for documents that wait in vain. */
@Injectable()
export class UploadUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly awaited: AwaitedDocuments,
    private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.jobs.takesWork) return;
    await this.jobs.work(giveUpDocuments, () => this.carryOut());
    await this.putInLine(0);
  }

  private async carryOut(): Promise<void> {
    await this.awaited.giveUp(this.clock.now());
    await this.putInLine(EVERY_SECONDS);
  }

  private putInLine(startAfterSeconds: number): Promise<void> {
    return this.database.systemTransaction((tx) =>
      this.jobs.enqueue(tx, giveUpDocuments, {}, { startAfterSeconds }),
    );
  }
}
