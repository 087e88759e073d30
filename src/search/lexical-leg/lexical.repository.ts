import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import type { SearchCollection, SearchScope } from '../search.js';
import { scopesAsked, scopeValues } from '../search-item.repository.js';

/** A scope as a search finds it. */
export interface FoundScope {
  id: number;
  collection: SearchCollection;
  version: string;
  itemCount: number;
  totalLength: number;
  /** Items with ordinals below it are in the lists. */
  indexedUntil: number;
  /** What the next item will get. */
  nextOrdinal: number;
}

/** Where an item stands. */
export interface Place {
  scopeId: number;
  ordinal: number;
}

export interface PlacedItem extends Place {
  itemId: string;
  groupId: string | null;
}

/** An item that is not in the lists, or was not when they were read. */
export interface TailItem extends PlacedItem {
  length: number;
}

/** A term's list, with its end. */
export interface ListEnd {
  scopeId: number;
  term: number;
  /** In how many listed items the term is, counting what has gone since the last compaction. */
  df: number;
  /** Of `data`. */
  firstOrdinal: number;
  data: Buffer;
}

/** A term's list in one scope, from one ordinal to another. */
export interface ListRange {
  scopeId: number;
  term: number;
  from: number;
  to: number;
}

export interface ListPart {
  scopeId: number;
  term: number;
  data: Buffer;
}

/**
 * What a search reads. Each term or item is a subquery of its own, with OFFSET 0 to keep it one: joined, and without
 * statistics, the planner reads all lists of the company instead.
 */
@Injectable()
export class LexicalRepository {
  /** Those that are there. */
  findScopes(tx: Transaction, scopes: readonly SearchScope[]): Promise<FoundScope[]> {
    return tx.query(
      `SELECT scope.id, scope.collection, scope.version, scope.item_count AS "itemCount",
         scope.total_length::float8 AS "totalLength", scope.indexed_until AS "indexedUntil",
         scope.next_ordinal AS "nextOrdinal"
       FROM ${scopesAsked}`,
      scopeValues(tx, scopes),
    );
  }

  /** The items of scopes from an ordinal on, at most `limit` of each, the newest first. */
  listFrom(tx: Transaction, from: readonly Place[], limit: number): Promise<TailItem[]> {
    return tx.query(
      `SELECT asked.scope_id AS "scopeId", item.ordinal, item.item_id AS "itemId", item.group_id AS "groupId",
         item.length
       FROM unnest($2::int[], $3::int[]) AS asked (scope_id, ordinal)
       CROSS JOIN LATERAL (
         SELECT * FROM search_item
         WHERE company_id = $1 AND scope_id = asked.scope_id AND ordinal >= asked.ordinal
         ORDER BY company_id, scope_id, ordinal DESC LIMIT $4) AS item`,
      [tx.companyId, from.map(({ scopeId }) => scopeId), from.map(({ ordinal }) => ordinal), limit],
    );
  }

  readEnds(tx: Transaction, scopes: readonly SearchScope[], terms: readonly number[]): Promise<ListEnd[]> {
    return tx.query(
      `SELECT scope.id AS "scopeId", query.term, list.df, list.first_ordinal AS "firstOrdinal", list.data
       FROM ${scopesAsked}
       CROSS JOIN unnest($4::int[]) AS query (term)
       CROSS JOIN LATERAL (
         SELECT df, first_ordinal, data FROM search_list
         WHERE company_id = $1 AND scope_id = scope.id AND term = query.term OFFSET 0) AS list
       WHERE scope.indexed_until > 1`,
      [...scopeValues(tx, scopes), terms],
    );
  }

  /** The parts of lists before their ends, at most `mostParts` of each, the newest. */
  readParts(tx: Transaction, ranges: readonly ListRange[], mostParts: number): Promise<ListPart[]> {
    return tx.query(
      `SELECT query.scope_id AS "scopeId", query.term, list.data
       FROM unnest($2::int[], $3::int[], $4::int[], $5::int[]) AS query (scope_id, term, first, last)
       CROSS JOIN LATERAL (
         SELECT data FROM search_list_part
         WHERE company_id = $1 AND scope_id = query.scope_id AND term = query.term
           AND first_ordinal <= query.last AND first_ordinal >= coalesce((
             SELECT max(first_ordinal) FROM search_list_part
             WHERE company_id = $1 AND scope_id = query.scope_id AND term = query.term
               AND first_ordinal <= query.first), 1)
         ORDER BY first_ordinal DESC LIMIT $6) AS list`,
      [
        tx.companyId,
        ranges.map(({ scopeId }) => scopeId),
        ranges.map(({ term }) => term),
        ranges.map(({ from }) => from),
        ranges.map(({ to }) => to),
        mostParts,
      ],
    );
  }

  /** Those that are still there. */
  findItems(tx: Transaction, places: readonly Place[]): Promise<PlacedItem[]> {
    return tx.query(
      `SELECT place.scope_id AS "scopeId", place.ordinal, item.item_id AS "itemId", item.group_id AS "groupId"
       FROM unnest($2::int[], $3::int[]) AS place (scope_id, ordinal)
       CROSS JOIN LATERAL (
         SELECT item_id, group_id FROM search_item
         WHERE company_id = $1 AND scope_id = place.scope_id AND ordinal = place.ordinal OFFSET 0) AS item`,
      [tx.companyId, places.map(({ scopeId }) => scopeId), places.map(({ ordinal }) => ordinal)],
    );
  }

  /** Where the items of groups are, at most `limit`. */
  findPlaces(tx: Transaction, groupIds: readonly string[], limit: number): Promise<Place[]> {
    return tx.query(
      `SELECT item.scope_id AS "scopeId", item.ordinal
       FROM unnest($2::uuid[]) AS asked (group_id)
       CROSS JOIN LATERAL (
         SELECT scope_id, ordinal FROM search_item WHERE company_id = $1 AND group_id = asked.group_id OFFSET 0) AS item
       LIMIT $3`,
      [tx.companyId, groupIds, limit],
    );
  }
}
