import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../../platform/database/transaction.js';
import type { ScopeState } from '../search-item.repository.js';
import { LexicalRepository, type Place } from './lexical.repository.js';
import { ChangedTransactions, type MeasuredItem, TermVectors } from './term-vectors.service.js';

/** Only the newest are searched. During bulk loads the others are found once they are in the lists. */
const MAX_ITEMS = 5_000;
const MAX_LENGTH = 1_500_000;

/** The cache size for all scopes together. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Cache entries expire, so that items erased by other processes do not stay in memory. */
const KEPT_MS = 10 * 60_000;

interface PendingOfScope {
  /** The scope's state when they were read. */
  scope: ScopeState;
  /** The newest first. */
  items: readonly MeasuredItem[];
}

/** Caches the items that are not in the lists yet, with their terms. Only items added since are read again. */
@Injectable()
export class PendingItems {
  private readonly kept = new LRUCache<number, PendingOfScope>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ items }) => items.reduce((sum, { vector }) => sum + vector.bytes, 1),
    ttl: KEPT_MS,
  });

  constructor(
    private readonly repository: LexicalRepository,
    private readonly vectors: TermVectors,
    private readonly changes: ChangedTransactions,
  ) {}

  /** The pending items of scopes, whose state was read in `tx`. */
  async find(tx: Transaction, scopes: readonly ScopeState[]): Promise<MeasuredItem[]> {
    const pending = scopes
      .filter(({ indexedUntil, nextOrdinal }) => indexedUntil < nextOrdinal)
      .map((scope) => ({ scope, known: this.changes.has(tx) ? null : this.knownOf(scope) }));
    const grown = pending.filter(({ scope, known }) => known?.scope.version !== scope.version);
    const added = grown.length > 0 ? await this.readAdded(tx, grown) : new Map<number, MeasuredItem[]>();
    return pending.flatMap(({ scope, known }) => {
      const all = [...(added.get(scope.id) ?? []), ...(known?.items ?? [])];
      const items = newestOf(all, scope.indexedUntil, ({ vector }) => vector.length);
      if (!this.changes.has(tx) && known?.scope.version !== scope.version) this.keep(scope, items);
      return items;
    });
  }

  /** The cached items of the scope, if items were only added since they were read. */
  private knownOf({ id, itemCount, nextOrdinal, indexedUntil }: ScopeState): PendingOfScope | null {
    const known = this.kept.get(id);
    if (!known || known.scope.indexedUntil > indexedUntil) return null;
    const added = nextOrdinal - known.scope.nextOrdinal;
    return added >= 0 && itemCount - known.scope.itemCount === added ? known : null;
  }

  private async readAdded(
    tx: Transaction,
    pending: readonly { scope: ScopeState; known: PendingOfScope | null }[],
  ): Promise<Map<number, MeasuredItem[]>> {
    const from = pending.map(({ scope, known }) => ({
      scopeId: scope.id,
      ordinal: Math.max(scope.indexedUntil, known?.scope.nextOrdinal ?? 0),
    }));
    const items = Map.groupBy(await this.repository.listFrom(tx, from, MAX_ITEMS), ({ scopeId }) => scopeId);
    const wanted = pending.flatMap(({ scope: { id, indexedUntil, collection } }) =>
      newestOf(items.get(id) ?? [], indexedUntil, ({ length }) => length).map((item) => ({
        ...item,
        collection,
      })),
    );
    return Map.groupBy(await this.vectors.find(tx, wanted), ({ scopeId }) => scopeId);
  }

  /** Caches them, without items added after the scope was read. */
  private keep(scope: ScopeState, items: readonly MeasuredItem[]): void {
    this.kept.set(scope.id, {
      scope,
      items: items.filter(({ ordinal }) => ordinal < scope.nextOrdinal),
    });
  }
}

/** The newest pending items up to MAX_LENGTH terms in total. */
function newestOf<Item extends Place>(
  items: readonly Item[],
  indexedUntil: number,
  lengthOf: (item: Item) => number,
): Item[] {
  let sum = 0;
  const beyond = items.findIndex((item) => {
    sum += lengthOf(item);
    return item.ordinal < indexedUntil || sum > MAX_LENGTH;
  });
  return beyond < 0 ? [...items] : items.slice(0, beyond);
}
