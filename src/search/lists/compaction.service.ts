import { setImmediate as nextRound } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { type DeadOrdinals, deadOf, type StoredList } from './list-compaction.js';
import { ListThread } from './list-thread.js';
import { ListUpkeep } from './list-upkeep.service.js';
import type { ListedScope } from './list.jobs.js';
import { type CompactionState, ListRepository } from './list.repository.js';

/** Lists that are read at a time: of a million items about five kilobytes each. */
const LARGE = 2000;
/** The embedded database takes the time of this thread. */
const SMALL = 300;

/** Less than the job may take, by a slow step. */
const MOST_MS = 200_000;

/** What was written anew leaves as much behind, which is swept before it comes to more than this. */
const MOST_LEFT_BYTES = 16 * 1024 * 1024;

const FIRST_TERM = -(2 ** 31);

/** A compaction that is under way in this process. */
interface Run {
  state: CompactionState;
  dead: DeadOrdinals;
  /** Written since it was last swept. */
  bytes: number;
}

/** Whole lists, as they were when `indexedUntil` was the end of what is listed. */
interface Step {
  lists: readonly StoredList[];
  indexedUntil: number;
}

/**
 * Takes what is gone out of a scope's lists: in the order of the terms, some lists in each transaction, from where the
 * last run stopped.
 */
@Injectable()
export class Compaction {
  private readonly mostLists: number;

  constructor(
    private readonly database: Database,
    private readonly repository: ListRepository,
    private readonly thread: ListThread,
    private readonly upkeep: ListUpkeep,
  ) {
    this.mostLists = database.embedded ? SMALL : LARGE;
  }

  /** All lists, or as many as there is time for: the rest is put in line. Rejects when `signal` is aborted. */
  async compact(scope: ListedScope, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const run = await this.database.transaction(scope.companyId, (tx) => this.begin(tx, scope.scopeId));
    if (!run) return;
    while (await this.advance(scope, run, signal)) {
      signal.throwIfAborted();
      if (run.bytes > MOST_LEFT_BYTES) await this.sweep(run);
      if (performance.now() - begun > MOST_MS) {
        await this.database.transaction(scope.companyId, (tx) =>
          this.upkeep.putCompaction(tx, scope.scopeId, 0),
        );
        break;
      }
      await nextRound();
    }
    // What was forgotten is still in the files until then.
    if (run.bytes > 0) await this.sweep(run);
  }

  /** Null: there is nothing to be done. */
  private async begin(tx: Transaction, scopeId: number): Promise<Run | null> {
    const lists = await this.repository.hold(tx, scopeId);
    if (!lists || !(lists.compaction || lists.deadCount > 0)) return null;
    const { deadCount, indexedUntil } = lists;
    const state = lists.compaction ?? { term: FIRST_TERM, deadCount };
    if (!lists.compaction) await this.repository.keepCompaction(tx, scopeId, state);
    // After they were counted: what dies in between is taken out now, and counted for the next time.
    const dead = deadOf(indexedUntil, await this.repository.listGaps(tx, scopeId, indexedUntil));
    return { state, dead, bytes: 0 };
  }

  /** Compacts the next lists. False: that was the end, or another process is at it. */
  private async advance(
    { companyId, scopeId }: ListedScope,
    run: Run,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { state, dead } = run;
    const step = await this.database.read(companyId, (tx) => this.read(tx, scopeId, state.term));
    if (!step) return false;
    const first = step.lists[0]?.term;
    const last = step.lists.at(-1)?.term;
    const changes = await this.thread.run('compact', { lists: step.lists, dead }, signal);
    return this.database.transaction(companyId, async (tx) => {
      const lists = await this.repository.hold(tx, scopeId);
      if (lists?.compaction?.term !== state.term) return false;
      if (first === undefined || last === undefined) return this.end(tx, scopeId, state);
      // Something was appended to the lists since they were read: again.
      if (lists.indexedUntil !== step.indexedUntil) return true;
      if (!changes.isEmpty) await this.repository.change(tx, scopeId, changes, { first, last });
      const next = { ...state, term: last + 1 };
      await this.repository.keepCompaction(tx, scopeId, next);
      tx.afterCommit(() => {
        run.state = next;
        if (!changes.isEmpty) run.bytes += changes.ends.data.length + changes.parts.data.length;
      });
      return true;
    });
  }

  private async read(tx: Transaction, scopeId: number, fromTerm: number): Promise<Step | null> {
    const state = await this.repository.find(tx, scopeId);
    if (!state) return null;
    // After that: if something is appended in between, it is noticed, as the lists are at another end then.
    const lists = await this.repository.listLists(tx, scopeId, fromTerm, this.mostLists);
    return { lists, indexedUntil: state.indexedUntil };
  }

  private async end(tx: Transaction, scopeId: number, state: CompactionState): Promise<boolean> {
    const lists = await this.repository.endCompaction(tx, scopeId, state);
    if (lists && lists.deadCount > 0) await this.upkeep.putCompaction(tx, scopeId, lists.itemCount);
    return false;
  }

  private async sweep(run: Run): Promise<void> {
    await this.repository.sweep(this.database);
    run.bytes = 0;
  }
}
