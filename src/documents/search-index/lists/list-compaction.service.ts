import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { type DeadOrdinals, deadOf, type ListChanges, type StoredLists } from './inverted-lists.js';
import { ListThread } from './list-thread.js';
import type { CompactionState } from '../search-item.repository.js';
import { ListUpkeep, type ListedScope } from './list-upkeep.service.js';
import { LAST_TERM, ListRepository } from './list.repository.js';

/** Lists per step. With a million items they have about five kilobytes each. */
const LARGE = 2000;
/** The same for the embedded database, which runs in this thread. */
const SMALL = 300;

/** The job's time limit, minus a slow step. */
const MAX_MS = 200_000;

/** Rewritten rows leave as many dead bytes behind, which are vacuumed at this amount. */
const MAX_LEFT_BYTES = 16 * 1024 * 1024;

const FIRST_TERM = -(2 ** 31);

/** A compaction under way in this process. */
interface Run {
  state: CompactionState;
  dead: DeadOrdinals;
  /** Bytes written since the last vacuum. */
  bytes: number;
}

/** Lists as they were when the scope was listed up to `indexedUntil`. */
interface Step {
  stored: StoredLists;
  /** The last term of them. */
  last: number;
  indexedUntil: number;
}

/**
 * Removes deleted items from a scope's lists: some lists per transaction, in the order of terms, starting where the last
 * run stopped.
 */
@Injectable()
export class ListCompaction {
  private readonly mostLists: number;

  constructor(
    private readonly database: Database,
    private readonly repository: ListRepository,
    private readonly thread: ListThread,
    private readonly upkeep: ListUpkeep,
  ) {
    this.mostLists = database.embedded ? SMALL : LARGE;
  }

  /** Compacts all lists, or as many as time allows, and enqueues the rest. Rejects when `signal` is aborted. */
  async compact(scope: ListedScope, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const run = await this.database.transaction(scope.companyId, (tx) => this.begin(tx, scope.scopeId));
    if (!run) return;
    while (await this.advance(scope, run, signal)) {
      signal.throwIfAborted();
      if (run.bytes > MAX_LEFT_BYTES) await this.sweep(run);
      if (performance.now() - begun > MAX_MS) {
        await this.database.transaction(scope.companyId, (tx) =>
          this.upkeep.enqueueCompaction(tx, scope.scopeId, 0),
        );
        break;
      }
      await yieldToEventLoop();
    }
    // Until the vacuum, deleted data is still in the database files.
    if (run.bytes > 0) await this.sweep(run);
  }

  /** Null: there is nothing to do. */
  private async begin(tx: Transaction, scopeId: number): Promise<Run | null> {
    const lists = await this.repository.hold(tx, scopeId);
    if (!lists || !(lists.compaction || lists.deadCount > 0)) return null;
    const { deadCount, indexedUntil } = lists;
    const state = lists.compaction ?? { term: FIRST_TERM, deadCount };
    if (!lists.compaction) await this.repository.keepCompaction(tx, scopeId, state);
    // Read after counting: items deleted in between are removed now, and counted again the next time.
    const dead = deadOf(indexedUntil, await this.repository.listGaps(tx, scopeId, indexedUntil));
    return { state, dead, bytes: 0 };
  }

  /** Compacts the next lists. False: these were the last, or another process is compacting. */
  private async advance(
    { companyId, scopeId }: ListedScope,
    run: Run,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { state, dead } = run;
    const step = await this.database.read(companyId, (tx) => this.read(tx, scopeId, state.term));
    if (!step) return false;
    const { stored, last } = step;
    const changes = await this.thread.run('compact', { stored, dead }, signal);
    return this.database.transaction(companyId, async (tx) => {
      const lists = await this.repository.hold(tx, scopeId);
      if (lists?.compaction?.term !== state.term) return false;
      // The lists have grown since they were read: read them again.
      if (lists.indexedUntil !== step.indexedUntil) return true;
      if (!changes.isEmpty) await this.repository.change(tx, scopeId, changes, { first: state.term, last });
      tx.afterCommit(() => {
        if (!changes.isEmpty) run.bytes += writtenBytes(changes);
      });
      if (last === LAST_TERM) return this.end(tx, scopeId, state);
      const next = { ...state, term: last + 1 };
      await this.repository.keepCompaction(tx, scopeId, next);
      tx.afterCommit(() => (run.state = next));
      return true;
    });
  }

  private async read(tx: Transaction, scopeId: number, fromTerm: number): Promise<Step | null> {
    const state = await this.repository.find(tx, scopeId);
    if (!state) return null;
    // Read after the state: an append in between is noticed by a changed `indexedUntil`.
    const { last, ...stored } = await this.repository.listLists(tx, scopeId, fromTerm, this.mostLists);
    return { stored, last, indexedUntil: state.indexedUntil };
  }

  private async end(tx: Transaction, scopeId: number, state: CompactionState): Promise<boolean> {
    const lists = await this.repository.endCompaction(tx, scopeId, state);
    if (lists && lists.deadCount > 0) await this.upkeep.enqueueCompaction(tx, scopeId, lists.itemCount);
    return false;
  }

  private async sweep(run: Run): Promise<void> {
    await this.repository.sweep(this.database);
    run.bytes = 0;
  }
}

function writtenBytes({ ends, parts, blocks }: ListChanges): number {
  return ends.data.length + parts.data.length + blocks.data.length;
}
