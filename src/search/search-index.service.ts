import { setImmediate as nextRound } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { together } from '../database/together.js';
import type { Transaction } from '../database/transaction.js';
import { fuse } from './fusion.js';
import { LexicalLeg } from './lexical-leg/lexical-leg.service.js';
import { OwnChanges } from './lexical-leg/own-changes.js';
import { TermVectors } from './lexical-leg/term-vectors.service.js';
import { TermVector } from './lexical/term-vector.js';
import { ListUpkeep } from './lists/list-upkeep.service.js';
import type { IndexedItem, PreparedQuery, SearchOutcome, SearchRequest, SearchScope } from './search.js';
import { type GrownScope, type NewItem, SearchItemRepository } from './search-item.repository.js';
import { SemanticLeg } from './semantic/semantic-leg.service.js';

/** After so many characters others get their turn, about every half millisecond. */
const CHARACTERS_AT_A_TIME = 10_000;

const MAX_LIMIT = 1000;

const KNOWN_SCOPES = 100_000;

interface MeasuredItem extends NewItem {
  vector: TermVector;
}

/** The way to everything that is found by what it says. */
@Injectable()
export class SearchIndex {
  /** Scopes that need not be made any more. */
  private readonly known = new LRUCache<string, true>({ max: KNOWN_SCOPES });

  constructor(
    private readonly items: SearchItemRepository,
    private readonly lexical: LexicalLeg,
    private readonly semantic: SemanticLeg,
    private readonly upkeep: ListUpkeep,
    private readonly changes: OwnChanges,
    private readonly vectors: TermVectors,
  ) {}

  /**
   * Has `items` found from the commit of `tx` on, in the place of what was indexed under the same ids. Holds the scope
   * until `tx` ends. An item stays in the scope that it was put into.
   */
  async put(tx: Transaction, scope: SearchScope, items: readonly IndexedItem[]): Promise<void> {
    if (items.length === 0) return;
    const measured = await measure(items);
    this.changes.add(tx);
    const state = (await this.putInto(tx, scope, measured)) ?? (await this.putInto(tx, scope, measured));
    if (!state) throw new Error('A search scope was made and is not there.');
    tx.afterCommit(() => this.vectors.keep(measured, state.firstOrdinal));
    await together([this.upkeep.putInLine(tx, state), this.semantic.changed(tx)]);
  }

  /** Has them found no more, and erases what the index has of them soon after. Unknown ids are passed over. */
  async remove(tx: Transaction, scope: SearchScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.changes.add(tx);
    const state = await this.items.remove(tx, scope, ids);
    if (state) await this.upkeep.putInLine(tx, state);
  }

  /** The same of all that belongs to a conversation or a document. */
  async removeGroup(tx: Transaction, scope: SearchScope, groupId: string): Promise<void> {
    this.changes.add(tx);
    const state = await this.items.removeGroup(tx, scope, groupId);
    if (state) await this.upkeep.putInLine(tx, state);
  }

  /** Reads a query, and has it embedded where there is an embedder; not to be called inside a transaction. */
  async prepare(query: string, signal: AbortSignal): Promise<PreparedQuery> {
    return { text: query, ...(await this.semantic.embedQuery(query, signal)) };
  }

  /** The query for the lexical leg alone: costs next to nothing. */
  prepareWords(text: string): PreparedQuery {
    return { text, vector: null, warning: null };
  }

  /** What answers the query best, in any of the scopes that are asked for. */
  async search(tx: Transaction, query: PreparedQuery, request: SearchRequest): Promise<SearchOutcome> {
    const asked = { ...request, limit: Math.min(request.limit, MAX_LIMIT) };
    const { vector } = query;
    const [{ hits, weights }, alike] = await together([
      this.lexical.find(tx, query.text, asked),
      vector ? this.semantic.find(tx, vector, asked, asked.limit) : [],
    ]);
    return { hits: fuse(hits, alike, asked.limit), weights };
  }

  /** A text that is another one whenever something in the scopes has changed, and the same while nothing has. */
  async version(tx: Transaction, scopes: readonly SearchScope[]): Promise<string> {
    const versions = await this.items.listVersions(tx, scopes);
    return versions.map((version) => version ?? '0').join(',');
  }

  /**
   * How much of a group is in the compact index, 0 to 1; 1 as well while there is too little for one. What is not in it
   * is searched nevertheless, at more cost.
   */
  async progress(tx: Transaction, scope: SearchScope, groupId: string): Promise<number> {
    const counts = await this.items.countGroup(tx, scope, groupId);
    if (!counts || counts.items === 0 || !this.upkeep.isTailDue(counts)) return 1;
    return counts.listed / counts.items;
  }

  /** Null: the scope was there, and is gone. */
  private async putInto(
    tx: Transaction,
    scope: SearchScope,
    items: readonly NewItem[],
  ): Promise<GrownScope | null> {
    const key = `${tx.companyId} ${scope.collection} ${scope.ownerId}`;
    const isKnown = this.known.has(key);
    const [, state] = await together([
      isKnown ? null : this.items.create(tx, scope),
      this.items.put(tx, scope, items),
    ]);
    if (!state) this.known.delete(key);
    else if (!isKnown) tx.afterCommit(() => this.known.set(key, true));
    return state;
  }
}

/** The last of each id, with its terms. */
const measure = async (items: readonly IndexedItem[]): Promise<MeasuredItem[]> => {
  const measured = new Map<string, MeasuredItem>();
  let characters = 0;
  for (const { id, groupId, text } of items) {
    const vector = TermVector.of(text);
    measured.set(id, { id, groupId, length: vector.length, vector });
    characters += text.length;
    if (characters < CHARACTERS_AT_A_TIME) continue;
    characters = 0;
    await nextRound();
  }
  return [...measured.values()];
};
