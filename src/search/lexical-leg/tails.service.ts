import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../database/transaction.js';
import { type FoundScope, LexicalRepository, type Place } from './lexical.repository.js';
import { OwnChanges } from './own-changes.js';
import { type MeasuredItem, TermVectors } from './term-vectors.service.js';

/** Of a longer tail the newest part is read: while much is taken in at once, the rest is found when it is in the lists. */
const MOST_ITEMS = 5_000;
const MOST_LENGTH = 1_500_000;

/** Of all scopes together. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** What was erased by another process is forgotten here by then. */
const KEPT_MS = 10 * 60_000;

interface Tail {
  /** As it was when the tail was read. */
  scope: FoundScope;
  /** The newest first. */
  items: readonly MeasuredItem[];
}

/** The items of scopes that are not in the lists yet, with their terms: what has been added since is read alone. */
@Injectable()
export class Tails {
  private readonly kept = new LRUCache<number, Tail>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ items }) => items.reduce((sum, { vector }) => sum + vector.bytes, 1),
    ttl: KEPT_MS,
  });

  constructor(
    private readonly repository: LexicalRepository,
    private readonly vectors: TermVectors,
    private readonly changes: OwnChanges,
  ) {}

  /** Of scopes as they were found in `tx`. */
  async find(tx: Transaction, scopes: readonly FoundScope[]): Promise<MeasuredItem[]> {
    const tails = scopes
      .filter(({ indexedUntil, nextOrdinal }) => indexedUntil < nextOrdinal)
      .map((scope) => ({ scope, known: this.changes.has(tx) ? null : this.knownOf(scope) }));
    const grown = tails.filter(({ scope, known }) => known?.scope.version !== scope.version);
    const added = grown.length > 0 ? await this.readAdded(tx, grown) : new Map<number, MeasuredItem[]>();
    return tails.flatMap(({ scope, known }) => {
      const all = [...(added.get(scope.id) ?? []), ...(known?.items ?? [])];
      const items = newestOf(all, scope.indexedUntil, ({ vector }) => vector.length);
      if (!this.changes.has(tx) && known?.scope.version !== scope.version) this.keep(scope, items);
      return items;
    });
  }

  /** What was read of the scope before, if all there was since then was added to it. */
  private knownOf({ id, itemCount, nextOrdinal, indexedUntil }: FoundScope): Tail | null {
    const known = this.kept.get(id);
    if (!known || known.scope.indexedUntil > indexedUntil) return null;
    const added = nextOrdinal - known.scope.nextOrdinal;
    return added >= 0 && itemCount - known.scope.itemCount === added ? known : null;
  }

  private async readAdded(
    tx: Transaction,
    tails: readonly { scope: FoundScope; known: Tail | null }[],
  ): Promise<Map<number, MeasuredItem[]>> {
    const from = tails.map(({ scope, known }) => ({
      scopeId: scope.id,
      ordinal: Math.max(scope.indexedUntil, known?.scope.nextOrdinal ?? 0),
    }));
    const items = Map.groupBy(await this.repository.listFrom(tx, from, MOST_ITEMS), ({ scopeId }) => scopeId);
    const wanted = tails.flatMap(({ scope: { id, indexedUntil, collection } }) =>
      newestOf(items.get(id) ?? [], indexedUntil, ({ length }) => length).map((item) => ({
        ...item,
        collection,
      })),
    );
    return Map.groupBy(await this.vectors.find(tx, wanted), ({ scopeId }) => scopeId);
  }

  /** Without what was put in after the scope was found: it is read the next time. */
  private keep(scope: FoundScope, items: readonly MeasuredItem[]): void {
    this.kept.set(scope.id, {
      scope,
      items: items.filter(({ ordinal }) => ordinal < scope.nextOrdinal),
    });
  }
}

/** As many as are not too long together, of those that are not in the lists. */
const newestOf = <Item extends Place>(
  items: readonly Item[],
  indexedUntil: number,
  lengthOf: (item: Item) => number,
): Item[] => {
  let sum = 0;
  const beyond = items.findIndex((item) => {
    sum += lengthOf(item);
    return item.ordinal < indexedUntil || sum > MOST_LENGTH;
  });
  return beyond < 0 ? [...items] : items.slice(0, beyond);
};
