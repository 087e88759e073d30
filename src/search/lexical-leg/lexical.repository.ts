import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import type { SearchCollection, SearchScope } from '../search.js';
import { MOST_POSTING_BYTES } from '../lexical/postings.js';
import { MOST_END_BYTES } from '../lists/list-compaction.js';
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

/** A term's list in one scope. */
export interface FoundList {
  scopeId: number;
  term: number;
  /** In how many listed items the term is, counting what has gone since the last compaction. */
  df: number;
  /** What of it is in the range that is searched, its end last; null: the term is not among the rarest. */
  parts: Buffer | null;
  end: Buffer | null;
}

/** The part of a scope that is searched, by ordinals. */
export interface ListRange {
  scopeId: number;
  from: number;
  to: number;
  /** Of the scope's listed items, 0 to 1. */
  share: number;
}

/** A list of fewer items has never become too long for its end: see MOST_END_BYTES. */
const LEAST_WITH_PARTS = Math.floor(MOST_END_BYTES / (MOST_POSTING_BYTES + 1));

const READ_LISTS = `
  WITH list AS MATERIALIZED (
    SELECT scope.id AS scope_id, query.term, list.df, list.data, coalesce(range.first, 1) AS first,
      coalesce(range.last, ${2 ** 31 - 1}) AS last, coalesce(range.share, CASE WHEN $5 THEN 1 ELSE 0 END) AS share
    FROM ${scopesAsked}
    LEFT JOIN unnest($6::int[], $7::int[], $8::int[], $9::float8[]) AS range (scope_id, first, last, share)
      ON range.scope_id = scope.id
    CROSS JOIN unnest($4::int[]) AS query (term)
    CROSS JOIN LATERAL (
      SELECT df, data FROM search_list
      WHERE company_id = $1 AND scope_id = scope.id AND term = query.term OFFSET 0) AS list
    WHERE scope.indexed_until > 1),
  size AS (
    SELECT term, sum(df * share) AS postings FROM list WHERE share > 0 GROUP BY term),
  rarest AS (
    SELECT term FROM (
      SELECT term, postings, sum(postings) OVER (ORDER BY postings, term ROWS UNBOUNDED PRECEDING) AS so_far
      FROM size) AS sorted
    WHERE so_far <= $10 OR so_far = postings),
  chosen AS (
    SELECT list.*, share > 0 AND term IN (SELECT term FROM rarest) AS is_chosen FROM list)
  SELECT scope_id AS "scopeId", term, df, part.data AS parts, CASE WHEN is_chosen THEN chosen.data END AS "end"
  FROM chosen
  CROSS JOIN LATERAL (
    SELECT string_agg(data, '\\x00' ORDER BY first_ordinal) AS data FROM (
      SELECT data, first_ordinal FROM search_list_part
      WHERE chosen.is_chosen AND chosen.df >= ${LEAST_WITH_PARTS}
        AND company_id = $1 AND scope_id = chosen.scope_id AND term = chosen.term
        AND first_ordinal <= chosen.last AND first_ordinal >= CASE WHEN chosen.first <= 1 THEN 1 ELSE coalesce((
          SELECT max(first_ordinal) FROM search_list_part
          WHERE company_id = $1 AND scope_id = chosen.scope_id AND term = chosen.term
            AND first_ordinal <= chosen.first), 1) END
      ORDER BY first_ordinal DESC LIMIT $11) AS newest) AS part`;

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
       FROM (SELECT * FROM unnest($2::int[], $3::int[]) LIMIT cardinality($2::int[])) AS asked (scope_id, ordinal)
       CROSS JOIN LATERAL (
         SELECT * FROM search_item
         WHERE company_id = $1 AND scope_id = asked.scope_id AND ordinal >= asked.ordinal
         ORDER BY company_id, scope_id, ordinal DESC LIMIT $4) AS item`,
      [tx.companyId, from.map(({ scopeId }) => scopeId), from.map(({ ordinal }) => ordinal), limit],
    );
  }

  /**
   * The lists of terms in one statement, and the data of the rarest of them, of which there are about `postings` to be
   * read together; at most the newest `parts` of each list. `ranges` has the only scopes to be read; null: all, whole.
   */
  readLists(
    tx: Transaction,
    scopes: readonly SearchScope[],
    terms: readonly number[],
    ranges: readonly ListRange[] | null,
    most: { postings: number; parts: number },
  ): Promise<FoundList[]> {
    return tx.query(READ_LISTS, [
      ...scopeValues(tx, scopes),
      terms,
      ranges === null,
      (ranges ?? []).map(({ scopeId }) => scopeId),
      (ranges ?? []).map(({ from }) => from),
      (ranges ?? []).map(({ to }) => to),
      (ranges ?? []).map(({ share }) => share),
      most.postings,
      most.parts,
    ]);
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
