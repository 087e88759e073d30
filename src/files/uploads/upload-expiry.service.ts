import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { Clock } from '../../common/clock.js';
import { LOGGER, type Logger } from '../../common/logger.js';
import { Database } from '../../database/database.js';
import { type Job, JobQueue } from '../../jobs/job-queue.js';
import { UploadRepository } from './upload.repository.js';

const NoData = z.object({});

/** Removes tickets that are over. One such job waits at most, of however many replicas. */
export const expireUploads: Job<z.output<typeof NoData>> = {
  name: 'expire-uploads',
  data: NoData,
  keyOf: () => 'all',
};

const EVERY_SECONDS = 3_600;

@Injectable()
export class UploadExpiry implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly uploads: UploadRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.jobs.takesWork) return;
    await this.jobs.work(expireUploads, () => this.carryOut());
    await this.putInLine(0);
  }

  /** One round. Two at once do no harm. */
  async removeExpired(): Promise<void> {
    const removed = await this.database.systemTransaction((tx) =>
      this.uploads.deleteExpired(tx, this.clock.now()),
    );
    if (removed > 0) this.logger.info({ uploads: removed }, 'upload tickets that are over were removed');
  }

  private async carryOut(): Promise<void> {
    await this.removeExpired();
    await this.putInLine(EVERY_SECONDS);
  }

  private putInLine(startAfterSeconds: number): Promise<void> {
    return this.database.systemTransaction((tx) =>
      this.jobs.enqueue(tx, expireUploads, {}, { startAfterSeconds }),
    );
  }
}
