import { setImmediate as nextRound } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../database/transaction.js';
import type { SearchCollection } from '../search.js';
import { SearchTexts } from '../search-texts.js';
import type { PlacedItem } from './lexical.repository.js';
import { OwnChanges } from './own-changes.js';
import { TermVector } from '../lexical/term-vector.js';

const MAX_BYTES = 32 * 1024 * 1024;

/** What was erased by another process is forgotten here by then. */
const KEPT_MS = 10 * 60_000;

const TEXTS_AT_A_TIME = 200;

/** After so many characters others get their turn, about every five milliseconds. */
const CHARACTERS_AT_A_TIME = 50_000;

/** An item whose terms are wanted. */
export interface WantedItem extends PlacedItem {
  collection: SearchCollection;
}

/** An item with its terms. */
export interface MeasuredItem extends WantedItem {
  vector: TermVector;
}

type Sought = WantedItem & { vector: TermVector | null };

/** The terms of items, as exact scoring needs them: kept for a while, or made of their texts. */
@Injectable()
export class TermVectors {
  private readonly kept = new LRUCache<string, TermVector>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
  });

  constructor(
    private readonly texts: SearchTexts,
    private readonly changes: OwnChanges,
  ) {}

  /** Keeps those of items that were put in one after the other: they are searched soon, and are in no list yet. */
  keep(items: readonly { id: string; vector: TermVector }[], firstOrdinal: number): void {
    items.forEach(({ id, vector }, index) => {
      this.kept.set(keyOf({ itemId: id, ordinal: firstOrdinal + index }), vector);
    });
  }

  /** In the order given; those whose texts are gone are left out. */
  async find(tx: Transaction, items: readonly WantedItem[]): Promise<MeasuredItem[]> {
    const found = items.map((item) => ({ ...item, vector: this.kept.get(keyOf(item)) ?? null }));
    const missing = found.filter(({ vector }) => vector === null);
    for (const [collection, wanted] of Map.groupBy(missing, ({ collection }) => collection)) {
      for (let at = 0; at < wanted.length; at += TEXTS_AT_A_TIME) {
        await this.read(tx, collection, wanted.slice(at, at + TEXTS_AT_A_TIME));
      }
    }
    return found.filter((item): item is MeasuredItem => item.vector !== null);
  }

  /** Gives each its vector. */
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
      await nextRound();
    }
  }
}

/** What an item says never changes under one ordinal: put in anew, it has another one. */
const keyOf = ({ itemId, ordinal }: Pick<PlacedItem, 'itemId' | 'ordinal'>): string => `${itemId}.${ordinal}`;
