import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { workEverySoOften } from '../../jobs/recurring-job.js';
import { expireUploads } from './expire-uploads.job.js';
import { UploadRepository } from './upload.repository.js';

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
    await workEverySoOften(this.jobs, this.database, expireUploads, () => this.removeExpired());
  }

  /** One round. Two at once do no harm. */
  async removeExpired(): Promise<void> {
    const removed = await this.database.systemTransaction((tx) =>
      this.uploads.deleteExpired(tx, this.clock.now()),
    );
    if (removed > 0) this.logger.info({ uploads: removed }, 'upload tickets that are over were removed');
  }
}
