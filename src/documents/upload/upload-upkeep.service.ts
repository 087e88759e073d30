import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { workEverySoOften } from '../../jobs/recurring-job.js';
import { AwaitedDocuments } from './awaited-documents.service.js';
import { giveUpDocuments } from './give-up-documents.job.js';

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
    await workEverySoOften(this.jobs, this.database, giveUpDocuments, () =>
      this.awaited.giveUp(this.clock.now()),
    );
  }
}
