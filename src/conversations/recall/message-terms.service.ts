import { setImmediate as othersTurn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Transaction } from '../../database/transaction.js';
import { TermVector } from '../../search/lexical/term-vector.js';
import { searchedText } from '../indexing/message-scope.js';
import { RecallRepository } from './recall.repository.js';

const MAX_BYTES = 32 * 1024 * 1024;

/** What is erased is forgotten here by then. */
const KEPT_MS = 10 * 60_000;

/** After so many characters others get their turn. */
const CHARACTERS_AT_A_TIME = 50_000;

/** The terms of messages, which never change: kept for a while, for the same ones bear on one question after another. */
@Injectable()
export class MessageTerms {
  private readonly kept = new LRUCache<string, TermVector>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    ttl: KEPT_MS,
  });

  constructor(private readonly recall: RecallRepository) {}

  /** By id; those that are gone are left out. */
  async find(tx: Transaction, ids: Iterable<string>): Promise<Map<string, TermVector>> {
    const found = new Map<string, TermVector>();
    const missing: string[] = [];
    for (const id of ids) {
      const terms = this.kept.get(id);
      if (terms) found.set(id, terms);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    let characters = 0;
    for (const message of await this.recall.listTexts(tx, missing)) {
      const terms = TermVector.of(searchedText(message));
      this.kept.set(message.id, terms);
      found.set(message.id, terms);
      characters += message.text.length;
      if (characters < CHARACTERS_AT_A_TIME) continue;
      characters = 0;
      await othersTurn();
    }
    return found;
  }
}
