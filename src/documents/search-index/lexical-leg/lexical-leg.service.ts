import { Injectable } from '@nestjs/common';
import {
  contentWordsOf,
  eachScore,
  hashOfTerm,
  QueryTerms,
  TermMatches,
  TopK,
  type WeightedList,
} from '@palabre/lexical';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { LexicalHit } from '../fusion.js';
import type { ScopeState } from '../search-item.repository.js';
import { allTermWeights, type SearchRequest, type TermWeights, type WordFindings } from '../search.js';
import {
  type FoundList,
  LexicalRepository,
  type ListRange,
  type Place,
  type PlacedItem,
} from './lexical.repository.js';
import { PendingItems } from './pending-items.service.js';
import { type MeasuredItem, TermVectors, type WantedItem } from './term-vectors.service.js';

/** How many more items than requested are scored exactly, as the order by the lists is approximate. */
const SPARE = 40;

/** Groups with more items than this do not restrict the ranges; their items are filtered after they are found. */
const MAX_PLACES = 20_000;

/**
 * Bounds of what a query reads. `postings`: about the total of the rarest terms; other terms count only in exact scoring.
 * `parts`: the newest parts read of one list, which bounds the lists of very frequent terms.
 */
const MAX_READ = { postings: 60_000, parts: 80 };

interface WordHits extends WordFindings {
  hits: LexicalHit[];
  weights: TermWeights;
}

const nothing: WordHits = {
  hits: [],
  weights: { idf: new Map(), otherIdf: new Map(), averageLength: 0 },
  rarity: new Map(),
  covering: new Set(),
  asked: 0,
};

/** An item that may be among the best. `row`: its row in the TermMatches. */
interface Candidate {
  item: MeasuredItem;
  row: number;
}

interface Findings {
  scopes: ReadonlyMap<number, ScopeState>;
  lists: readonly FoundList[];
  /** Null: the whole scopes are searched. */
  ranges: ReadonlyMap<number, SearchedRange> | null;
  weights: TermWeights;
  isWanted: (item: PlacedItem) => boolean;
}

/** Lexical search: finds candidates by approximate scores from the lists, then scores the best exactly by their texts. */
@Injectable()
export class LexicalLeg {
  constructor(
    private readonly repository: LexicalRepository,
    private readonly pending: PendingItems,
    private readonly vectors: TermVectors,
  ) {}

  /** Hits that share a term with the query, best first. */
  async find(tx: Transaction, text: string, request: SearchRequest): Promise<WordHits> {
    const query = QueryTerms.of(text);
    if (query.isEmpty) return nothing;
    const matches = new TermMatches(query.terms);
    const { scopes, ranges, lists } = await this.read(tx, query, request);
    const unlisted = candidatesOf(await this.pending.find(tx, scopes), matches);
    const counts = countsOf(scopes, lists, matches);
    const weights = weightsOf(query, scopes, counts);
    const wanted = request.groupIds && new Set(request.groupIds);
    const isWanted = ({ groupId }: PlacedItem): boolean =>
      !wanted || (groupId !== null && wanted.has(groupId));
    const byId = new Map(scopes.map((scope) => [scope.id, scope]));
    const findings = { scopes: byId, lists, ranges, weights, isWanted };
    const listed = await this.findListed(tx, findings, request.limit + SPARE);
    const candidates = [
      ...unlisted.filter(({ item }) => isWanted(item)),
      ...candidatesOf(await this.vectors.find(tx, listed), matches),
    ];
    const best = bestOf(candidates, matches, weights, request.limit);
    const { total, isChance } = query.coverage(contentWordsOf(text), counts.items, counts.df);
    const covering = best.filter(({ row }) => !isChance(matches.termsOf(row))).map(({ hit }) => hit.id);
    return {
      hits: best.map(({ hit }) => hit),
      weights,
      rarity: query.rarity(counts.items, counts.df),
      covering: new Set(covering),
      asked: total,
    };
  }

  /** Scopes are read before lists: items that are listed in between are then found in both places, not in neither. */
  private async read(
    tx: Transaction,
    query: QueryTerms,
    { scopes: asked, groupIds }: SearchRequest,
  ): Promise<Pick<Findings, 'lists' | 'ranges'> & { scopes: ScopeState[] }> {
    const readLists = (ranges: readonly ListRange[] | null): Promise<FoundList[]> =>
      this.repository.readLists(tx, asked, query.listed, ranges, MAX_READ);
    const find = this.repository.findScopes(tx, asked);
    if (!groupIds) {
      const [scopes, lists] = await awaitAll([find, readLists(null)]);
      return { scopes, ranges: null, lists };
    }
    const [scopes, places] = await awaitAll([find, this.repository.findPlaces(tx, groupIds, MAX_PLACES)]);
    const ranges = places.length < MAX_PLACES ? rangesOf(scopes, places) : null;
    return { scopes, ranges, lists: await readLists(ranges && [...ranges.values()]) };
  }

  /** The best items by the lists, at most `count`. */
  private async findListed(tx: Transaction, findings: Findings, count: number): Promise<WantedItem[]> {
    const lists = weightedLists(findings);
    for (let most = count; ; most *= 8) {
      const places = bestPlaces(lists, findings.ranges, most);
      if (places.length === 0) return [];
      // May be fewer than `places`: the lists still contain removed items, and items of other groups.
      const found = wantedOf(await this.repository.findItems(tx, places), findings);
      const items = new Map(found.map((item) => [keyOf(item), item]));
      if (items.size < count && places.length === most) continue;
      return places.flatMap((place) => items.get(keyOf(place)) ?? []).slice(0, count);
    }
  }
}

function keyOf({ scopeId, ordinal }: Place): string {
  return `${scopeId}.${ordinal}`;
}

function wantedOf(items: readonly PlacedItem[], { scopes, isWanted }: Findings): WantedItem[] {
  return items.filter(isWanted).flatMap((item) => {
    const collection = scopes.get(item.scopeId)?.collection;
    return collection ? [{ ...item, collection }] : [];
  });
}

function candidatesOf(items: readonly MeasuredItem[], matches: TermMatches): Candidate[] {
  return items.map((item) => ({ item, row: matches.add(item.vector) }));
}

/** The number of items with each gram, by hash, and the number of items. */
interface Counts {
  items: number;
  df: (gram: number) => number;
}

function countsOf(scopes: readonly ScopeState[], lists: readonly FoundList[], unlisted: TermMatches): Counts {
  const dfs = new Map<number, number>();
  for (const { term, df } of lists) dfs.set(term, (dfs.get(term) ?? 0) + df);
  return {
    items: scopes.reduce((sum, { itemCount }) => sum + itemCount, 0),
    df: (gram) => (dfs.get(gram) ?? 0) + unlisted.df(gram),
  };
}

function weightsOf(query: QueryTerms, scopes: readonly ScopeState[], { items, df }: Counts): TermWeights {
  const length = scopes.reduce((sum, { totalLength }) => sum + totalLength, 0);
  const idf = query.idf(items, df);
  return { idf, otherIdf: query.otherIdf(idf, items, df), averageLength: length / Math.max(1, items) };
}

/** The lists of the rarest terms, by scope. */
function weightedLists({ scopes, lists, ranges, weights }: Findings): Map<number, WeightedList[]> {
  const idf = new Map(
    Array.from(allTermWeights(weights), ([term, weight]) => [hashOfTerm(term), weight] as const),
  );
  const weighted = new Map<number, WeightedList[]>();
  for (const [scopeId, own] of Map.groupBy(lists, ({ scopeId }) => scopeId)) {
    if (ranges && !ranges.has(scopeId)) continue;
    const until = scopes.get(scopeId)?.indexedUntil ?? 0;
    const all = own.flatMap(({ term, parts, end }) => {
      const weight = idf.get(term) ?? 0;
      // A part of an alternative spelling of a number that no text contains completely.
      if (weight === 0) return [];
      return [parts, end].flatMap((data) => (data ? [{ data, weight, until }] : []));
    });
    weighted.set(scopeId, all);
  }
  return weighted;
}

function bestPlaces(
  listsByScope: ReadonlyMap<number, readonly WeightedList[]>,
  ranges: ReadonlyMap<number, SearchedRange> | null,
  most: number,
): Place[] {
  const best = new TopK<Place>(most);
  for (const [scopeId, lists] of listsByScope) {
    const wanted = ranges?.get(scopeId)?.ordinals ?? null;
    eachScore(lists, (ordinal, score) => {
      if (score <= best.least) return;
      if (!wanted || wanted.has(ordinal)) best.offer({ scopeId, ordinal }, score);
    });
  }
  return best.list();
}

interface ScoredHit {
  hit: LexicalHit;
  /** Its row in the TermMatches. */
  row: number;
}

function bestOf(
  candidates: readonly Candidate[],
  matches: TermMatches,
  found: TermWeights,
  limit: number,
): ScoredHit[] {
  const weights = matches.weightsOf(allTermWeights(found));
  const hits = candidates.flatMap(({ item: { itemId }, row }) => {
    const lexicalScore = matches.score(row, weights, found.averageLength);
    return lexicalScore > 0 ? [{ hit: { id: itemId, lexicalScore }, row }] : [];
  });
  hits.sort(
    ({ hit: one }, { hit: other }) => other.lexicalScore - one.lexicalScore || (one.id < other.id ? 1 : -1),
  );
  return hits.slice(0, limit);
}

/** The part of a scope that contains the wanted items. */
interface SearchedRange extends ListRange {
  ordinals: ReadonlySet<number>;
}

/** Ranges by scope id. `places`: the wanted items. */
function rangesOf(scopes: readonly ScopeState[], places: readonly Place[]): Map<number, SearchedRange> {
  const ranges = new Map<number, SearchedRange>();
  const placesOf = Map.groupBy(places, ({ scopeId }) => scopeId);
  for (const { id: scopeId, indexedUntil } of scopes) {
    const listed = indexedUntil - 1;
    const ordinals = (placesOf.get(scopeId) ?? [])
      .map(({ ordinal }) => ordinal)
      .filter((ordinal) => ordinal <= listed);
    if (ordinals.length === 0) continue;
    const from = ordinals.reduce((one, other) => Math.min(one, other));
    const to = ordinals.reduce((one, other) => Math.max(one, other));
    ranges.set(scopeId, {
      scopeId,
      from,
      to,
      share: (to - from + 1) / listed,
      ordinals: new Set(ordinals),
    });
  }
  return ranges;
}
