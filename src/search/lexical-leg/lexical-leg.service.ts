import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { LexicalHit } from '../fusion.js';
import { scoredBy, type SearchRequest, type TermWeights } from '../search.js';
import { Best } from './best.js';
import {
  type FoundList,
  type FoundScope,
  LexicalRepository,
  type ListRange,
  type Place,
  type PlacedItem,
} from './lexical.repository.js';
import { QueryTerms } from '../lexical/query-terms.js';
import { eachScore, type WeightedList } from './scores.js';
import { rangesOf, type SearchedRange } from './searched-range.js';
import { hashOfTerm } from '../lexical/term-hash.js';
import { TermMatches } from '../lexical/term-matches.js';
import { Tails } from './tails.service.js';
import { type MeasuredItem, TermVectors, type WantedItem } from './term-vectors.service.js';

/** How many more than asked for are scored exactly: what the lists say of their order is rough. */
const SPARE = 40;

/** Groups with more items than this do not narrow a search down: their items are told apart when they are found. */
const MAX_PLACES = 20_000;

/**
 * Postings that are read for a query, about: the other terms tell little, and count when the best are scored exactly.
 * Of the list of a term that is nearly everywhere, the newest parts alone are read: about as much as of all others.
 */
const MOST_READ = { postings: 60_000, parts: 80 };

/** What may be among the best; its row is that of its matches. */
interface Candidate {
  item: MeasuredItem;
  row: number;
}

/** What a search has found out so far. */
interface Findings {
  scopes: ReadonlyMap<number, FoundScope>;
  lists: readonly FoundList[];
  /** Null: all is searched. */
  ranges: ReadonlyMap<number, SearchedRange> | null;
  weights: TermWeights;
  isWanted: (item: PlacedItem) => boolean;
}

/** Finds by the words of a query: roughly by the lists, then the best of them exactly by their texts. */
@Injectable()
export class LexicalLeg {
  constructor(
    private readonly repository: LexicalRepository,
    private readonly tails: Tails,
    private readonly vectors: TermVectors,
  ) {}

  /** The best first; all of them share a term with the query. */
  async find(
    tx: Transaction,
    text: string,
    request: SearchRequest,
  ): Promise<{ hits: LexicalHit[]; weights: TermWeights }> {
    const query = QueryTerms.of(text);
    if (query.isEmpty)
      return { hits: [], weights: { idf: new Map(), otherIdf: new Map(), averageLength: 0 } };
    const matches = new TermMatches(query.terms);
    const { scopes, ranges, lists } = await this.read(tx, query, request);
    const tail = candidatesOf(await this.tails.find(tx, scopes), matches);
    const weights = weightsOf(query, scopes, lists, matches);
    const wanted = request.groupIds && new Set(request.groupIds);
    const isWanted = ({ groupId }: PlacedItem): boolean =>
      !wanted || (groupId !== null && wanted.has(groupId));
    const byId = new Map(scopes.map((scope) => [scope.id, scope]));
    const findings = { scopes: byId, lists, ranges, weights, isWanted };
    const listed = await this.findListed(tx, findings, request.limit + SPARE);
    const candidates = [
      ...tail.filter(({ item }) => isWanted(item)),
      ...candidatesOf(await this.vectors.find(tx, listed), matches),
    ];
    return { hits: bestOf(candidates, matches, weights, request.limit), weights };
  }

  /** Where the tail begins is read before the lists: what goes into them meanwhile is in both, and not in neither. */
  private async read(
    tx: Transaction,
    query: QueryTerms,
    { scopes: asked, groupIds }: SearchRequest,
  ): Promise<Pick<Findings, 'lists' | 'ranges'> & { scopes: FoundScope[] }> {
    const readLists = (ranges: readonly ListRange[] | null): Promise<FoundList[]> =>
      this.repository.readLists(tx, asked, query.listed, ranges, MOST_READ);
    const find = this.repository.findScopes(tx, asked);
    if (!groupIds) {
      const [scopes, lists] = await together([find, readLists(null)]);
      return { scopes, ranges: null, lists };
    }
    const [scopes, places] = await together([find, this.repository.findPlaces(tx, groupIds, MAX_PLACES)]);
    const ranges = places.length < MAX_PLACES ? rangesOf(scopes, places) : null;
    return { scopes, ranges, lists: await readLists(ranges && [...ranges.values()]) };
  }

  /** The items that the lists say are the best, at most `count`. */
  private async findListed(tx: Transaction, findings: Findings, count: number): Promise<WantedItem[]> {
    const lists = weightedLists(findings);
    for (let most = count; ; most *= 8) {
      const places = bestPlaces(lists, findings.ranges, most);
      if (places.length === 0) return [];
      // Fewer than there are places: what is gone, or belongs to another group, is still in the lists.
      const found = wantedOf(await this.repository.findItems(tx, places), findings);
      const items = new Map(found.map((item) => [keyOf(item), item]));
      if (items.size < count && places.length === most) continue;
      return places.flatMap((place) => items.get(keyOf(place)) ?? []).slice(0, count);
    }
  }
}

const keyOf = ({ scopeId, ordinal }: Place): string => `${scopeId}.${ordinal}`;

const wantedOf = (items: readonly PlacedItem[], { scopes, isWanted }: Findings): WantedItem[] =>
  items.filter(isWanted).flatMap((item) => {
    const collection = scopes.get(item.scopeId)?.collection;
    return collection ? [{ ...item, collection }] : [];
  });

const candidatesOf = (items: readonly MeasuredItem[], matches: TermMatches): Candidate[] =>
  items.map((item) => ({ item, row: matches.add(item.vector) }));

const weightsOf = (
  query: QueryTerms,
  scopes: readonly FoundScope[],
  lists: readonly FoundList[],
  tail: TermMatches,
): TermWeights => {
  const dfs = new Map<number, number>();
  for (const { term, df } of lists) dfs.set(term, (dfs.get(term) ?? 0) + df);
  const items = scopes.reduce((sum, { itemCount }) => sum + itemCount, 0);
  const length = scopes.reduce((sum, { totalLength }) => sum + totalLength, 0);
  const df = (term: number): number => (dfs.get(term) ?? 0) + tail.df(term);
  const idf = query.idf(items, df);
  return { idf, otherIdf: query.otherIdf(idf, items, df), averageLength: length / Math.max(1, items) };
};

/** The lists of the rarest terms, by scope. */
const weightedLists = ({ scopes, lists, weights }: Findings): Map<number, WeightedList[]> => {
  const idf = new Map(Array.from(scoredBy(weights), ([term, weight]) => [hashOfTerm(term), weight] as const));
  const weighted = new Map<number, WeightedList[]>();
  for (const [scopeId, own] of Map.groupBy(lists, ({ scopeId }) => scopeId)) {
    const until = scopes.get(scopeId)?.indexedUntil ?? 0;
    const all = own.flatMap(({ term, parts, end }) => {
      const weight = idf.get(term) ?? 0;
      // Read for another way of writing a figure that no text has all of.
      if (weight === 0) return [];
      return [parts, end].flatMap((data) => (data ? [{ data, weight, until }] : []));
    });
    weighted.set(scopeId, all);
  }
  return weighted;
};

const bestPlaces = (
  listsByScope: ReadonlyMap<number, readonly WeightedList[]>,
  ranges: ReadonlyMap<number, SearchedRange> | null,
  most: number,
): Place[] => {
  const best = new Best<Place>(most);
  for (const [scopeId, lists] of listsByScope) {
    const wanted = ranges?.get(scopeId)?.ordinals ?? null;
    eachScore(lists, (ordinal, score) => {
      if (score <= best.least) return;
      if (!wanted || wanted.has(ordinal)) best.offer({ scopeId, ordinal }, score);
    });
  }
  return best.list();
};

const bestOf = (
  candidates: readonly Candidate[],
  matches: TermMatches,
  found: TermWeights,
  limit: number,
): LexicalHit[] => {
  const weights = matches.weightsOf(scoredBy(found));
  const hits = candidates.flatMap(({ item: { itemId }, row }) => {
    const lexicalScore = matches.score(row, weights, found.averageLength);
    return lexicalScore > 0 ? [{ id: itemId, lexicalScore }] : [];
  });
  hits.sort((one, other) => other.lexicalScore - one.lexicalScore || (one.id < other.id ? 1 : -1));
  return hits.slice(0, limit);
};
