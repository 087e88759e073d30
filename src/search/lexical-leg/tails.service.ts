import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../database/transaction.js';
import { type FoundScope, LexicalRepository, type TailItem } from './lexical.repository.js';
import { OwnChanges } from './own-changes.js';

/** Of a longer tail the newest part is read: while much is taken in at once, the rest is found when it is in the lists. */
const MOST_ITEMS = 5_000;
const MOST_LENGTH = 1_500_000;

/** Of all scopes together: about 20 MB. */
const KEPT_ITEMS = 100_000;

interface Tail {
  version: string;
  /** From which ordinal on it was read. */
  from: number;
  items: readonly TailItem[];
}

/** The items of scopes that are not in the lists yet: kept until something in the scope changes. */
@Injectable()
export class Tails {
  private readonly kept = new LRUCache<number, Tail>({
    maxSize: KEPT_ITEMS,
    sizeCalculation: ({ items }) => items.length + 1,
  });

  constructor(
    private readonly repository: LexicalRepository,
    private readonly changes: OwnChanges,
  ) {}

  /** Of scopes as they were found in `tx`. */
  async find(tx: Transaction, scopes: readonly FoundScope[]): Promise<TailItem[]> {
    const tails = scopes.filter(({ indexedUntil, nextOrdinal }) => indexedUntil < nextOrdinal);
    const unknown = tails.filter((scope) => this.changes.has(tx) || !this.isKept(scope));
    const read = unknown.length > 0 ? await this.read(tx, unknown) : new Map<number, readonly TailItem[]>();
    return tails.flatMap(({ id, indexedUntil }) => {
      const items = read.get(id) ?? this.kept.get(id)?.items ?? [];
      return items.filter(({ ordinal }) => ordinal >= indexedUntil);
    });
  }

  private isKept({ id, version, indexedUntil }: FoundScope): boolean {
    const tail = this.kept.get(id);
    return tail?.version === version && tail.from <= indexedUntil;
  }

  private async read(
    tx: Transaction,
    scopes: readonly FoundScope[],
  ): Promise<Map<number, readonly TailItem[]>> {
    const places = scopes.map(({ id, indexedUntil }) => ({ scopeId: id, ordinal: indexedUntil }));
    const items = Map.groupBy(
      await this.repository.listFrom(tx, places, MOST_ITEMS),
      ({ scopeId }) => scopeId,
    );
    const tails = scopes.map((scope) => [scope, newestOf(items.get(scope.id) ?? [])] as const);
    if (!this.changes.has(tx)) {
      // What was put in since the scope was found is there as well: no harm, until the version is seen to be another.
      for (const [{ id, version, indexedUntil }, items] of tails) {
        this.kept.set(id, { version, from: indexedUntil, items });
      }
    }
    return new Map(tails.map(([{ id }, items]) => [id, items]));
  }
}

const newestOf = (items: readonly TailItem[]): readonly TailItem[] => {
  let sum = 0;
  const beyond = items.findIndex(({ length }) => {
    sum += length;
    return sum > MOST_LENGTH;
  });
  return beyond < 0 ? items : items.slice(0, beyond);
};
