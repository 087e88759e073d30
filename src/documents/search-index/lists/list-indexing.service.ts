import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { Database } from '../../../platform/database/database.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { ScopeState } from '../search-item.repository.js';
import { SearchTexts } from '../search-texts.js';
import type { SearchCollection } from '../search.js';
import type { ListedItem } from './inverted-lists.js';
import { ListThread } from './list-thread.js';
import { ListUpkeep, type ListedScope } from './list-upkeep.service.js';
import { ListRepository, type PendingItem } from './list.repository.js';

/** The size of a batch: appending to a list costs the same for one item as for many. */
interface BatchSize {
  items: number;
  /** In terms. */
  length: number;
  termsAtATime: number;
}
const LARGE: BatchSize = { items: 2000, length: 1_200_000, termsAtATime: 4000 };

/** The embedded database has one connection and runs in this thread: small batches let others in soon. */
const SMALL: BatchSize = { items: 200, length: 60_000, termsAtATime: 1000 };

/** Texts per statement: the driver parses its result in the main thread. */
const TEXTS_AT_A_TIME = 200;

/** Every appended list leaves a dead row behind. They are vacuumed at these numbers: during a job, and at its end. */
const MAX_LEFT_ROWS = 250_000;
const LEAST_LEFT_ROWS = 50_000;

/** The job's time limit, minus a slow batch. */
const MAX_MS = 200_000;

interface Batch {
  state: ScopeState;
  items: readonly PendingItem[];
  texts: readonly ListedItem[];
  isLast: boolean;
}

/** Adds new items of a scope to its lists. Each batch is a transaction: a crash neither loses nor duplicates items. */
@Injectable()
export class ListIndexing {
  private readonly size: BatchSize;
  /** Dead rows of all scopes since the last vacuum, at most. */
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

  /** Lists all new items, or as many as time allows, and enqueues the rest. Rejects when `signal` is aborted. */
  async index(scope: ListedScope, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    while (await this.advance(scope, signal)) {
      await this.sweep(MAX_LEFT_ROWS);
      if (performance.now() - begun > MAX_MS) {
        await this.database.transaction(scope.companyId, (tx) =>
          this.upkeep.enqueueIndexing(tx, scope.scopeId),
        );
        break;
      }
      await yieldToEventLoop();
    }
    await this.sweep(LEAST_LEFT_ROWS);
  }

  /** Lists one batch. False: that was the last. */
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

  /** The next items to list; null: there are none, or the scope is gone. */
  private take({ companyId, scopeId }: ListedScope): Promise<Batch | null> {
    return this.database.read(companyId, async (tx) => {
      const state = await this.repository.find(tx, scopeId);
      if (!state) return null;
      const pending = await this.repository.listPending(tx, scopeId, state.indexedUntil, this.size.items);
      const items = beginningOf(pending, this.size.length);
      if (items.length === 0) return null;
      const texts = await this.read(tx, state.collection, items);
      return {
        state,
        items,
        // Deleted items have no text; they are noticed when the batch is added.
        texts: items.map(({ ordinal, itemId }) => ({ ordinal, text: texts.get(itemId) ?? '' })),
        isLast: pending.length < this.size.items && items.length === pending.length,
      };
    });
  }

  private async read(
    tx: Transaction,
    collection: SearchCollection,
    items: readonly PendingItem[],
  ): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (let at = 0; at < items.length; at += TEXTS_AT_A_TIME) {
      const ids = items.slice(at, at + TEXTS_AT_A_TIME).map(({ itemId }) => itemId);
      for (const [id, text] of await this.texts.read(tx, collection, ids)) texts.set(id, text);
    }
    return texts;
  }

  /** False: another process has listed these items first. */
  private async add(
    { companyId, scopeId }: ListedScope,
    { state, items, texts }: Batch,
    signal: AbortSignal,
  ): Promise<boolean> {
    // Rounded to the column's precision, as later batches use the stored value.
    const usualLength = Math.fround(state.usualLength || state.totalLength / Math.max(1, state.itemCount));
    const { termsAtATime } = this.size;
    const lists = await this.thread.run('build', { items: texts, usualLength, termsAtATime }, signal);
    const { indexedUntil: from } = state;
    const to = (items.at(-1)?.ordinal ?? 0) + 1;
    this.leftRows += lists.reduce((sum, { terms }) => sum + terms.length, 0);
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
      if (after && after.deadCount > 0) await this.upkeep.enqueueCompaction(tx, scopeId, after.itemCount);
      return true;
    });
  }
}

/** The first items up to `mostLength` terms in total, at least one. */
function beginningOf(pending: readonly PendingItem[], mostLength: number): readonly PendingItem[] {
  let sum = 0;
  const beyond = pending.findIndex(({ length }, index) => {
    sum += length;
    return index > 0 && sum > mostLength;
  });
  return beyond < 0 ? pending : pending.slice(0, beyond);
}
