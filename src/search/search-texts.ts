import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import type { SearchCollection } from './search.js';

/** Gives the texts of a collection's things by id, as they were indexed; those that are gone are left out. */
export type ReadTexts = (tx: Transaction, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The way up to those who keep the texts that are searched: the index itself keeps none. */
@Injectable()
export class SearchTexts {
  private readonly readers = new Map<SearchCollection, ReadTexts>();

  register(collection: SearchCollection, read: ReadTexts): void {
    this.readers.set(collection, read);
  }

  read(tx: Transaction, collection: SearchCollection, ids: readonly string[]): ReturnType<ReadTexts> {
    const read = this.readers.get(collection);
    if (!read) throw new Error(`Nobody has registered the texts of ${collection}.`);
    return read(tx, ids);
  }
}
