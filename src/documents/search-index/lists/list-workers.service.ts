import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { OwedWork } from '../../../companies/owed-work.service.js';
import { JobQueue } from '../../../platform/jobs/job-queue.js';
import { ListCompaction } from './list-compaction.service.js';
import { ListIndexing } from './list-indexing.service.js';
import { compactSearch, indexSearch } from './list-upkeep.service.js';
import { ListRepository } from './list.repository.js';

/** Scopes of a company that are looked at in one sweep. */
const MAX_OWED = 1000;

/** Runs the list jobs in processes that do background work. */
@Injectable()
export class ListWorkers implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly indexing: ListIndexing,
    private readonly compaction: ListCompaction,
    lists: ListRepository,
    owed: OwedWork,
  ) {
    owed.register(compactSearch, async (tx) => {
      const scopeIds = await lists.listUncompacted(tx, MAX_OWED);
      return scopeIds.map((scopeId) => ({ companyId: tx.companyId, scopeId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(indexSearch, (scope, signal) => this.indexing.index(scope, signal));
    await this.jobs.work(compactSearch, (scope, signal) => this.compaction.compact(scope, signal));
  }
}
