import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { LexicalHit } from '../fusion.js';
import type { SearchRequest, TermWeights } from '../search.js';
import { Best } from './best.js';
import { bm25 } from '../lexical/bm25.js';
import {
  type FoundScope,
  LexicalRepository,
  type ListEnd,
  type ListPart,
  type Place,
  type PlacedItem,
} from './lexical.repository.js';
import { rangesOf, rarest, type SearchedRange } from './list-choice.js';
import { countPostings } from '../lexical/postings.js';
import { QueryTerms } from '../lexical/query-terms.js';
import { addUp, type Scores } from './scores.js';
import { hashOfTerm } from '../lexical/term-hash.js';
import type { TermVector } from '../lexical/term-vector.js';
import { Tails } from './tails.service.js';
import { TermVectors } from './term-vectors.service.js';

/** How many more than asked for are scored exactly: what the lists say of their order is rough. */
const SPARE = 40;

/** Groups with more items than this do not narrow a search down: their items are told apart when they are found. */
const MAX_PLACES = 20_000;

/** Of the list of a term that is nearly everywhere, the newest parts alone are read: about as much as of all others. */
const MAX_PARTS = 80;

/** What a search has found out so far. */
interface Findings {
  scopes: ReadonlyMap<number, FoundScope>;
  ends: readonly ListEnd[];
  ranges: ReadonlyMap<number, SearchedRange>;
  weights: TermWeights;
  /** The same by hash. */
  idf: ReadonlyMap<number, number>;
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
    if (query.isEmpty) return { hits: [], weights: { idf: new Map(), averageLength: 0 } };
    const { groupIds } = request;
    const grams = [...query.grams.keys()];
    // Where the tail begins is read before the lists are: what goes into them meanwhile is in both, and not in neither.
    const [scopes, ends, places] = await together([
      this.repository.findScopes(tx, request.scopes),
      this.repository.readEnds(tx, request.scopes, grams),
      groupIds ? this.repository.findPlaces(tx, groupIds, MAX_PLACES) : null,
    ]);
    const tail = await this.tails.find(tx, scopes);
    const byId = new Map(scopes.map((scope) => [scope.id, scope]));
    const tailVectors = await this.read(tx, tail, byId);
    const weights = weightsOf(query, scopes, ends, tailVectors.values());
    const wanted = groupIds && new Set(groupIds);
    const findings = {
      scopes: byId,
      ends,
      ranges: rangesOf(scopes, places && places.length < MAX_PLACES ? places : null),
      weights,
      idf: new Map(Array.from(weights.idf, ([term, idf]) => [hashOfTerm(term), idf] as const)),
      isWanted: ({ groupId }: PlacedItem) => !wanted || (groupId !== null && wanted.has(groupId)),
    };
    const listed = await this.findListed(tx, findings, request.limit + SPARE);
    const vectors = await this.read(tx, listed, byId);
    const hits = [
      ...hitsOf(tail.filter(findings.isWanted), tailVectors, findings),
      ...hitsOf(listed, vectors, findings),
    ];
    hits.sort((one, other) => other.lexicalScore - one.lexicalScore || (one.id < other.id ? 1 : -1));
    return { hits: hits.slice(0, request.limit), weights };
  }

  private read(
    tx: Transaction,
    items: readonly PlacedItem[],
    scopes: ReadonlyMap<number, FoundScope>,
  ): Promise<Map<string, TermVector>> {
    const wanted = items.flatMap((item) => {
      const collection = scopes.get(item.scopeId)?.collection;
      return collection ? [{ ...item, collection }] : [];
    });
    return this.vectors.find(tx, wanted);
  }

  /** The items that the lists say are the best, at most `count`. */
  private async findListed(tx: Transaction, findings: Findings, count: number): Promise<PlacedItem[]> {
    const scores = await this.score(tx, findings);
    for (let most = count; ; most *= 8) {
      const places = bestOf(scores, findings.ranges, most);
      if (places.length === 0) return [];
      // Fewer than there are places: what is gone, or belongs to another group, is still in the lists.
      const found = await this.repository.findItems(tx, places);
      const items = new Map(found.filter(findings.isWanted).map((item) => [keyOf(item), item]));
      if (items.size < count && places.length === most) continue;
      return places.flatMap((place) => items.get(keyOf(place)) ?? []).slice(0, count);
    }
  }

  /** Adds up, by scope, what the lists of the rarest terms say of their items. */
  private async score(tx: Transaction, findings: Findings): Promise<Map<number, Scores>> {
    const { ranges, idf } = findings;
    const ends = findings.ends.filter(({ scopeId }) => ranges.has(scopeId));
    const listsOf = Map.groupBy(ends, ({ term }) => term);
    const terms = rarest(idf.keys(), (term) =>
      (listsOf.get(term) ?? []).reduce(
        (sum, { scopeId, df }) => sum + df * (ranges.get(scopeId)?.share ?? 0),
        0,
      ),
    );
    const chosen = ends.filter(({ term }) => terms.has(term));
    const longer = chosen.filter(({ df, data }) => df > countPostings(data));
    const parts =
      longer.length === 0
        ? []
        : await this.repository.readParts(
            tx,
            longer.map(({ scopeId, term }) => {
              const { from = 1, to = 1 } = ranges.get(scopeId) ?? {};
              return { scopeId, term, from, to };
            }),
            MAX_PARTS,
          );
    return scoresOf(chosen, parts, findings);
  }
}

const keyOf = ({ scopeId, ordinal }: Place): string => `${scopeId}.${ordinal}`;

const weightsOf = (
  query: QueryTerms,
  scopes: readonly FoundScope[],
  ends: readonly ListEnd[],
  tail: Iterable<TermVector>,
): TermWeights => {
  const dfs = new Map<number, number>();
  const add = (term: number, df: number): void => void dfs.set(term, (dfs.get(term) ?? 0) + df);
  for (const { term, df } of ends) add(term, df);
  for (const vector of tail) {
    for (const term of query.grams.keys()) if (vector.count(term) > 0) add(term, 1);
  }
  const items = scopes.reduce((sum, { itemCount }) => sum + itemCount, 0);
  const length = scopes.reduce((sum, { totalLength }) => sum + totalLength, 0);
  return { idf: query.idf(items, (term) => dfs.get(term) ?? 0), averageLength: length / Math.max(1, items) };
};

/** By scope. */
const scoresOf = (
  ends: readonly ListEnd[],
  parts: readonly ListPart[],
  { scopes, idf }: Findings,
): Map<number, Scores> => {
  const keyOf = ({ scopeId, term }: ListPart): string => `${scopeId}.${term}`;
  const partsOf = Map.groupBy(parts, keyOf);
  const scores = new Map<number, Scores>();
  for (const [scopeId, own] of Map.groupBy(ends, ({ scopeId }) => scopeId)) {
    const indexedUntil = scopes.get(scopeId)?.indexedUntil ?? 0;
    const lists = own.flatMap((end) => {
      const weight = idf.get(end.term) ?? 0;
      // After the end was read it may have become a part, which is not to be counted again.
      const until = end.data.length > 0 ? Math.min(indexedUntil, end.firstOrdinal) : indexedUntil;
      return [
        { data: end.data, weight, until: indexedUntil },
        ...(partsOf.get(keyOf(end)) ?? []).map(({ data }) => ({ data, weight, until })),
      ];
    });
    scores.set(scopeId, addUp(lists));
  }
  return scores;
};

const bestOf = (
  scoresByScope: ReadonlyMap<number, Scores>,
  ranges: ReadonlyMap<number, SearchedRange>,
  most: number,
): Place[] => {
  const best = new Best<Place>(most);
  for (const [scopeId, { ordinals, scores }] of scoresByScope) {
    const wanted = ranges.get(scopeId)?.ordinals ?? null;
    for (let at = 0; at < ordinals.length; at += 1) {
      const score = scores[at] as number;
      if (!best.takes(score)) continue;
      const ordinal = ordinals[at] as number;
      if (!wanted || wanted.has(ordinal)) best.offer({ scopeId, ordinal }, score);
    }
  }
  return best.list();
};

const hitsOf = (
  items: readonly PlacedItem[],
  vectors: ReadonlyMap<string, TermVector>,
  { scopes, idf, weights }: Findings,
): LexicalHit[] =>
  items.flatMap(({ scopeId, itemId, groupId }) => {
    const collection = scopes.get(scopeId)?.collection;
    const vector = vectors.get(itemId);
    if (!collection || !vector) return [];
    const lexicalScore = bm25(idf, vector, weights.averageLength);
    return lexicalScore > 0 ? [{ id: itemId, groupId, collection, lexicalScore }] : [];
  });
