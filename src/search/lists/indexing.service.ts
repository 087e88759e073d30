import { setImmediate as nextRound } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import type { SearchCollection } from '../search.js';
import { SearchTexts } from '../search-texts.js';
import type { ListedItem } from './list-building.js';
import { ListThread } from './list-thread.js';
import { ListUpkeep } from './list-upkeep.service.js';
import type { ListedScope } from './list.jobs.js';
import { ListRepository, type ListState, type TailItem } from './list.repository.js';

/** How much goes into the lists at a time: to append to a list costs the same for one item as for many. */
interface BatchSize {
  items: number;
  /** In terms. */
  length: number;
  termsAtATime: number;
}
const LARGE: BatchSize = { items: 2000, length: 1_200_000, termsAtATime: 4000 };

/** The embedded database has one connection and takes the time of this thread: others are to have it soon. */
const SMALL: BatchSize = { items: 200, length: 60_000, termsAtATime: 1000 };

/** Texts that are read in one statement: its answer is taken apart in the thread that answers. */
const TEXTS_AT_A_TIME = 200;

/** A batch leaves an old row behind for every list that it appends to. Of so many they are swept, a job's last too. */
const MOST_LEFT_ROWS = 250_000;
const LEAST_LEFT_ROWS = 50_000;

/** Less than the job may take, by a slow batch. */
const MOST_MS = 200_000;

/** Items on their way from the tail into the lists. */
interface Batch {
  state: ListState;
  items: readonly TailItem[];
  texts: readonly ListedItem[];
  isLast: boolean;
}

/** Takes what is new in a scope into its lists. A batch is a transaction: a crash neither loses nor doubles any. */
@Injectable()
export class Indexing {
  private readonly size: BatchSize;
  /** By all scopes since the last sweep, at most. */
  private leftRows = 0;

  constructor(
    private readonly database: Database,
    private readonly repository: ListRepository,
    private readonly texts: SearchTexts,
    private readonly thread: ListThread,
    private readonly upkeep: ListUpkeep,
  ) {
    this.size = database.embedded ? SMALL : LARGE;
  }

  /** All there is, or as much as there is time for: the rest is put in line. Rejects when `signal` is aborted. */
  async index(scope: ListedScope, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    while (await this.advance(scope, signal)) {
      await this.sweep(MOST_LEFT_ROWS);
      if (performance.now() - begun > MOST_MS) {
        await this.database.transaction(scope.companyId, (tx) => this.upkeep.putIndexing(tx, scope.scopeId));
        break;
      }
      await nextRound();
    }
    await this.sweep(LEAST_LEFT_ROWS);
  }

  /** Takes in one batch. False: that was all. */
  private async advance(scope: ListedScope, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const batch = await this.take(scope);
    if (!batch) return false;
    const isIn = await this.add(scope, batch, signal);
    return !(isIn && batch.isLast);
  }

  private async sweep(leftRows: number): Promise<void> {
    if (this.leftRows < leftRows) return;
    this.leftRows = 0;
    await this.repository.sweep(this.database);
  }

  /** The next items of the tail; null: there are none, or the scope is gone. */
  private take({ companyId, scopeId }: ListedScope): Promise<Batch | null> {
    return this.database.read(companyId, async (tx) => {
      const state = await this.repository.find(tx, scopeId);
      if (!state) return null;
      const tail = await this.repository.listTail(tx, scopeId, state.indexedUntil, this.size.items);
      const items = beginningOf(tail, this.size.length);
      if (items.length === 0) return null;
      const texts = await this.read(tx, state.collection, items);
      return {
        state,
        items,
        // Of what is gone there is no text: it is noticed when the batch is added.
        texts: items.map(({ ordinal, itemId }) => ({ ordinal, text: texts.get(itemId) ?? '' })),
        isLast: tail.length < this.size.items && items.length === tail.length,
      };
    });
  }

  private async read(
    tx: Transaction,
    collection: SearchCollection,
    items: readonly TailItem[],
  ): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (let at = 0; at < items.length; at += TEXTS_AT_A_TIME) {
      const ids = items.slice(at, at + TEXTS_AT_A_TIME).map(({ itemId }) => itemId);
      for (const [id, text] of await this.texts.read(tx, collection, ids)) texts.set(id, text);
    }
    return texts;
  }

  /** False: somebody else was first. */
  private async add(
    { companyId, scopeId }: ListedScope,
    { state, items, texts }: Batch,
    signal: AbortSignal,
  ): Promise<boolean> {
    // Rounded as it is stored: what comes later is reckoned by what was stored.
    const usualLength = Math.fround(state.usualLength || state.totalLength / Math.max(1, state.itemCount));
    const { termsAtATime } = this.size;
    const lists = await this.thread.run('build', { items: texts, usualLength, termsAtATime }, signal);
    const { indexedUntil: from } = state;
    const to = (items.at(-1)?.ordinal ?? 0) + 1;
    this.leftRows += lists.reduce((sum, { count }) => sum + count, 0);
    return this.database.transaction(companyId, async (tx) => {
      const held = await this.repository.hold(tx, scopeId);
      if (held?.indexedUntil !== from) return false;
      for (const list of lists) await this.repository.append(tx, scopeId, list);
      const after = await this.repository.advance(tx, scopeId, {
        from,
        to,
        items: items.length,
        usualLength,
      });
      if (after && after.deadCount > 0) {
        await this.upkeep.putCompaction(tx, scopeId, after.itemCount);
      }
      return true;
    });
  }
}

/** As many of them as are not too long together, and at least one. */
const beginningOf = (tail: readonly TailItem[], mostLength: number): readonly TailItem[] => {
  let sum = 0;
  const beyond = tail.findIndex(({ length }, index) => {
    sum += length;
    return index > 0 && sum > mostLength;
  });
  return beyond < 0 ? tail : tail.slice(0, beyond);
};
