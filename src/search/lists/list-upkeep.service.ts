import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { ScopeState } from '../search-item.repository.js';
import { compactSearch, indexSearch } from './list.jobs.js';

/**
 * What is not in the lists is read for every query, in terms. Up to about 64 KB of text that is quicker than lists would
 * be. A large scope waits for more, as a batch writes the ends of most of its lists anew: a fiftieth of it, to some end.
 */
const LEAST_DUE_LENGTH = 50_000;
const MOST_DUE_LENGTH = 500_000;
const DUE_SHARE = 0.02;

/** Several removals go together. */
const COMPACTION_DELAY_SECONDS = 60;
const MOST_DELAY_SECONDS = 3600;

/** Compacting reads a whole scope: of a large one, one is to be due no more than a small part of the time. */
const ITEMS_A_SECOND_OF_DELAY = 50;

/** Decides when a scope's lists have to be seen to. */
@Injectable()
export class ListUpkeep {
  constructor(private readonly jobs: JobQueue) {}

  /** Whether the tail is worth being taken into the lists. */
  isTailDue({ totalLength, tailLength }: Pick<ScopeState, 'totalLength' | 'tailLength'>): boolean {
    return tailLength > Math.min(MOST_DUE_LENGTH, Math.max(LEAST_DUE_LENGTH, totalLength * DUE_SHARE));
  }

  /** Has done what a scope needs after a change, as part of the transaction that makes it. */
  async putInLine(tx: Transaction, scope: ScopeState): Promise<void> {
    if (this.isTailDue(scope)) await this.putIndexing(tx, scope.id);
    if (scope.deadCount > 0) await this.putCompaction(tx, scope.id, scope.itemCount);
  }

  async putIndexing(tx: Transaction, scopeId: number): Promise<void> {
    await this.jobs.enqueue(tx, indexSearch, { companyId: tx.companyId, scopeId });
  }

  async putCompaction(tx: Transaction, scopeId: number, itemCount: number): Promise<void> {
    const patience = Math.floor(itemCount / ITEMS_A_SECOND_OF_DELAY);
    await this.jobs.enqueue(
      tx,
      compactSearch,
      { companyId: tx.companyId, scopeId },
      { startAfterSeconds: Math.min(MOST_DELAY_SECONDS, Math.max(COMPACTION_DELAY_SECONDS, patience)) },
    );
  }
}
