import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Transaction } from '../../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import type { ScopeState } from '../search-item.repository.js';

const ListedScope = z.object({ companyId: z.uuid(), scopeId: z.int() });

export type ListedScope = z.output<typeof ListedScope>;

/** Adds new items of a scope to its lists. */
export const indexSearch = defineJob({
  name: 'index-search',
  data: ListedScope,
  keyOf: ({ scopeId }) => `${scopeId}`,
  // The job stops itself long before, and continues in another one.
  maxSeconds: 300,
  atATime: 4,
});

/** Removes deleted items of a scope from its lists. */
export const compactSearch = defineJob({
  name: 'compact-search',
  data: ListedScope,
  keyOf: ({ scopeId }) => `${scopeId}`,
  maxSeconds: 300,
  atATime: 4,
});

/**
 * Items that are not listed yet are scanned by every query. Up to about 64 KB of text this is faster than lists. Large
 * scopes wait for a fiftieth of their size, up to a maximum, as a batch rewrites the ends of most lists. In terms.
 */
const LEAST_DUE_LENGTH = 50_000;
const MAX_DUE_LENGTH = 500_000;
const DUE_SHARE = 0.02;

/** The delay lets several removals be compacted together. */
const COMPACTION_DELAY_SECONDS = 60;
const MAX_DELAY_SECONDS = 3600;

/** Compaction reads the whole scope, so the delay grows with the scope's size. */
const ITEMS_A_SECOND_OF_DELAY = 50;

type Lengths = Pick<ScopeState, 'totalLength' | 'tailLength'>;

/** Decides when a scope's lists are due for indexing or compaction. */
@Injectable()
export class ListUpkeep {
  constructor(private readonly jobs: JobQueue) {}

  /** Whether enough items are pending to add them to the lists. */
  isTailDue({ totalLength, tailLength }: Lengths): boolean {
    return tailLength > Math.min(MAX_DUE_LENGTH, Math.max(LEAST_DUE_LENGTH, totalLength * DUE_SHARE));
  }

  /** Enqueues the work that a scope needs after a change, in the transaction of the change. */
  async enqueueDue(
    tx: Transaction,
    scope: Lengths & Pick<ScopeState, 'id' | 'itemCount' | 'deadCount'>,
  ): Promise<void> {
    if (this.isTailDue(scope)) await this.enqueueIndexing(tx, scope.id);
    if (scope.deadCount > 0) await this.enqueueCompaction(tx, scope.id, scope.itemCount);
  }

  async enqueueIndexing(tx: Transaction, scopeId: number): Promise<void> {
    await this.jobs.enqueue(tx, indexSearch, { companyId: tx.companyId, scopeId });
  }

  async enqueueCompaction(tx: Transaction, scopeId: number, itemCount: number): Promise<void> {
    const patience = Math.floor(itemCount / ITEMS_A_SECOND_OF_DELAY);
    await this.jobs.enqueue(
      tx,
      compactSearch,
      { companyId: tx.companyId, scopeId },
      { startAfterSeconds: Math.min(MAX_DELAY_SECONDS, Math.max(COMPACTION_DELAY_SECONDS, patience)) },
    );
  }
}
