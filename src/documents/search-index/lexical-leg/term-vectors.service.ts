import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { TermVector } from '@palabre/lexical';

import type { Transaction } from '../../../platform/database/transaction.js';
import { SearchTexts } from '../search-texts.js';
import type { SearchCollection } from '../search.js';
import type { PlacedItem } from './lexical.repository.js';

const MAX_BYTES = 32 * 1024 * 1024;

/** Cache entries expire, so that texts erased by other processes do not stay in memory. */
const KEPT_MS = 10 * 60_000;

const TEXTS_AT_A_TIME = 200;

/** Yields to the event loop after this many characters, about every five milliseconds. */
const CHARACTERS_AT_A_TIME = 50_000;

export interface WantedItem extends PlacedItem {
  collection: SearchCollection;
}

export interface MeasuredItem extends WantedItem {
  vector: TermVector;
}

type Sought = WantedItem & { vector: TermVector | null };

/** The transactions that have changed the index. What they read is uncommitted and must not be cached. */
@Injectable()
export class ChangedTransactions {
  private readonly transactions = new WeakSet<Transaction>();

  add(tx: Transaction): void {
    this.transactions.add(tx);
  }

  has(tx: Transaction): boolean {
    return this.transactions.has(tx);
  }
}

/** Caches the terms of items for exact scoring; computes them from the texts when missing. */
@Injectable()
export class TermVectors {
  private readonly kept = new LRUCache<string, TermVector>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
  });

  constructor(
    private readonly texts: SearchTexts,
    private readonly changes: ChangedTransactions,
  ) {}

  /** Caches the terms of new items, which are searched soon and are in no list yet. */
  keep(items: readonly { id: string; vector: TermVector }[], firstOrdinal: number): void {
    items.forEach(({ id, vector }, index) => {
      this.kept.set(keyOf({ itemId: id, ordinal: firstOrdinal + index }), vector);
    });
  }

  /** In the given order; items whose texts are gone are left out. */
  async find(tx: Transaction, items: readonly WantedItem[]): Promise<MeasuredItem[]> {
    const found = items.map((item) => ({ ...item, vector: this.kept.get(keyOf(item)) ?? null }));
    const missing = found.filter(({ vector }) => vector === null);
    for (const [collection, wanted] of Map.groupBy(missing, ({ collection }) => collection)) {
      for (let at = 0; at < wanted.length; at += TEXTS_AT_A_TIME)
        await this.read(tx, collection, wanted.slice(at, at + TEXTS_AT_A_TIME));
    }
    return found.filter((item): item is MeasuredItem => item.vector !== null);
  }

  /** Reads texts and sets the items' vectors. */
  private async read(tx: Transaction, collection: SearchCollection, items: readonly Sought[]): Promise<void> {
    const texts = await this.texts.read(
      tx,
      collection,
      items.map(({ itemId }) => itemId),
    );
    let characters = 0;
    for (const item of items) {
      const text = texts.get(item.itemId);
      if (text === undefined) continue;
      item.vector = TermVector.of(text);
      if (!this.changes.has(tx)) this.kept.set(keyOf(item), item.vector);
      characters += text.length;
      if (characters < CHARACTERS_AT_A_TIME) continue;
      characters = 0;
      await yieldToEventLoop();
    }
  }
}

/** Under one ordinal an item's text never changes: a changed item gets a new ordinal. */
function keyOf({ itemId, ordinal }: Pick<PlacedItem, 'itemId' | 'ordinal'>): string {
  return `${itemId}.${ordinal}`;
}
