import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { ListCompaction } from './list-compaction.service.js';
import { ListIndexing } from './list-indexing.service.js';
import { compactSearch, indexSearch } from './list-upkeep.service.js';

/** Runs the list jobs in processes that do background work. */
@Injectable()
export class ListWorkers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly indexing: ListIndexing,
    private readonly compaction: ListCompaction,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(indexSearch, (scope, signal) => this.indexing.index(scope, signal));
    await this.jobs.work(compactSearch, (scope, signal) => this.compaction.compact(scope, signal));
  }
}
