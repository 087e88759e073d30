import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import type { SearchCollection } from './search.js';

/** Reads texts of a collection by id, as they were indexed; without those that are gone. */
type ReadTexts = (tx: Transaction, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Reads the indexed texts. The index stores none: features register how to read theirs. */
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
