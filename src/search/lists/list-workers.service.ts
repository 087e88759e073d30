import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { JobQueue } from '../../jobs/job-queue.js';
import { Compaction } from './compaction.service.js';
import { Indexing } from './indexing.service.js';
import { compactSearch, indexSearch } from './list.jobs.js';

/** Takes the jobs of the lists, where this process does background work. */
@Injectable()
export class ListWorkers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly indexing: Indexing,
    private readonly compaction: Compaction,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(indexSearch, (scope, signal) => this.indexing.index(scope, signal));
    await this.jobs.work(compactSearch, (scope, signal) => this.compaction.compact(scope, signal));
  }
}
