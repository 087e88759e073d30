import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { TermVector } from '@palabre/lexical';

import { CompanyChanges, PubSub } from '../../platform/pubsub/pub-sub.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { fuseByRank } from './fusion.js';
import { LexicalLeg } from './lexical-leg/lexical-leg.service.js';
import { ChangedTransactions, TermVectors } from './lexical-leg/term-vectors.service.js';
import { ListUpkeep } from './lists/list-upkeep.service.js';
import { type NewItem, type ScopeState, SearchItemRepository } from './search-item.repository.js';
import type {
  IndexedItem,
  PreparedQuery,
  SearchOutcome,
  SearchRequest,
  SearchScope,
  WordFindings,
} from './search.js';
import { SemanticLeg } from './semantic/semantic-leg.service.js';

/** Changes of a company's memories and messages in the search index. */
@Injectable()
export class SearchChanges extends CompanyChanges {
  constructor(pubSub: PubSub) {
    super(pubSub, 'search');
  }
}

/** Yields to the event loop after this many characters, about every half millisecond. */
const CHARACTERS_AT_A_TIME = 10_000;

const MAX_LIMIT = 1000;

const KNOWN_SCOPES = 10_000;

interface MeasuredItem extends NewItem {
  vector: TermVector;
}

@Injectable()
export class SearchIndex {
  /** Scopes that are known to exist. */
  private readonly known = new LRUCache<string, true>({ max: KNOWN_SCOPES });

  constructor(
    private readonly items: SearchItemRepository,
    private readonly lexical: LexicalLeg,
    private readonly semantic: SemanticLeg,
    private readonly upkeep: ListUpkeep,
    private readonly changes: ChangedTransactions,
    private readonly vectors: TermVectors,
    private readonly announced: SearchChanges,
  ) {}

  /**
   * Indexes `items`, replacing those with the same ids; they are found once `tx` is committed. Locks the scope until `tx`
   * ends. An item must stay in its scope.
   */
  async put(tx: Transaction, scope: SearchScope, items: readonly IndexedItem[]): Promise<void> {
    if (items.length === 0) return;
    const measured = await measure(items);
    this.changes.add(tx);
    const state = (await this.putInto(tx, scope, measured)) ?? (await this.putInto(tx, scope, measured));
    if (!state) throw new Error('A search scope was made and is not there.');
    tx.afterCommit(() => this.vectors.keep(measured, state.nextOrdinal - measured.length));
    await awaitAll([this.upkeep.enqueueDue(tx, state), this.semantic.changed(tx), this.announce(tx, scope)]);
  }

  /** Removes items from search; their data in the lists is erased soon after. Unknown ids are ignored. */
  async remove(tx: Transaction, scope: SearchScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.changes.add(tx);
    const state = await this.items.remove(tx, scope, ids);
    if (state) await awaitAll([this.upkeep.enqueueDue(tx, state), this.announce(tx, scope)]);
  }

  /** Removes all items of a conversation or a document. */
  async removeGroup(tx: Transaction, scope: SearchScope, groupId: string): Promise<void> {
    this.changes.add(tx);
    const state = await this.items.removeGroup(tx, scope, groupId);
    if (state) await awaitAll([this.upkeep.enqueueDue(tx, state), this.announce(tx, scope)]);
  }

  /** A number that changes whenever the version of the company's memory or message scopes may have changed. */
  stateOf(companyId: string): number {
    return this.announced.stateOf(companyId);
  }

  private async announce(tx: Transaction, { collection }: SearchScope): Promise<void> {
    if (collection !== 'PASSAGE') await this.announced.announce(tx);
  }

  /** Prepares a query and embeds it if there is an embedder. Not to be called inside a transaction. */
  async prepare(query: string, signal: AbortSignal): Promise<PreparedQuery> {
    return { text: query, ...(await this.semantic.embedQuery(query, signal)) };
  }

  /** Prepares a query for lexical search only, which costs next to nothing. */
  prepareWords(text: string): PreparedQuery {
    return { text, vector: null, warning: null };
  }

  /** The best hits for the query in all requested scopes. */
  async search(
    tx: Transaction,
    query: PreparedQuery,
    request: SearchRequest,
  ): Promise<SearchOutcome & WordFindings> {
    const asked = { ...request, limit: Math.min(request.limit, MAX_LIMIT) };
    const { vector } = query;
    const [{ hits, ...found }, alike] = await awaitAll([
      this.lexical.find(tx, query.text, asked),
      vector ? this.semantic.find(tx, vector, asked, asked.limit) : [],
    ]);
    return { ...found, hits: fuseByRank(hits, alike, asked.limit) };
  }

  /** A string that changes whenever something in the scopes changes. */
  async version(tx: Transaction, scopes: readonly SearchScope[]): Promise<string> {
    const versions = await this.items.listVersions(tx, scopes);
    return versions.map((version) => version ?? '0').join(',');
  }

  /**
   * How much of a group is in the lists, 0 to 1; also 1 while the scope is too small to need lists. Items that are not
   * listed yet are searched as well, at a higher cost.
   */
  async progress(tx: Transaction, scope: SearchScope, groupId: string): Promise<number> {
    const counts = await this.items.countGroup(tx, scope, groupId);
    if (!counts || counts.items === 0 || !this.upkeep.isTailDue(counts)) return 1;
    return counts.listed / counts.items;
  }

  /** Null: the scope existed and is gone. */
  private async putInto(
    tx: Transaction,
    scope: SearchScope,
    items: readonly NewItem[],
  ): Promise<ScopeState | null> {
    const key = `${tx.companyId} ${scope.collection} ${scope.ownerId}`;
    const isKnown = this.known.has(key);
    const [, state] = await awaitAll([
      isKnown ? null : this.items.create(tx, scope),
      this.items.put(tx, scope, items),
    ]);
    if (!state) this.known.delete(key);
    else if (!isKnown) tx.afterCommit(() => this.known.set(key, true));
    return state;
  }
}

/** Computes the items' terms; of several items with one id, the last counts. */
async function measure(items: readonly IndexedItem[]): Promise<MeasuredItem[]> {
  const measured = new Map<string, MeasuredItem>();
  let characters = 0;
  for (const { id, groupId, text } of items) {
    const vector = TermVector.of(text);
    measured.set(id, { id, groupId, length: vector.length, vector });
    characters += text.length;
    if (characters < CHARACTERS_AT_A_TIME) continue;
    characters = 0;
    await yieldToEventLoop();
  }
  return [...measured.values()];
}
