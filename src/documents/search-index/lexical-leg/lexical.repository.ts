import { Injectable } from '@nestjs/common';
import { countPostings, findInBlock, MAX_POSTING_BYTES } from '@palabre/lexical';

import type { Transaction } from '../../../platform/database/transaction.js';
import { MAX_END_BYTES } from '../lists/inverted-lists.js';
import { SCOPE_STATE, type ScopeState, scopesAsked, scopeValues } from '../search-item.repository.js';
import type { SearchScope } from '../search.js';

export interface Place {
  scopeId: number;
  ordinal: number;
}

export interface PlacedItem extends Place {
  itemId: string;
  groupId: string | null;
}

/** An item that is not in the lists yet. */
interface PendingItem extends PlacedItem {
  length: number;
}

export interface FoundList {
  scopeId: number;
  term: number;
  /** Document frequency, including items removed since the last compaction. */
  df: number;
  /** Its postings in the searched range: older parts, and the end. Null: the term is not among the rarest. */
  parts: Uint8Array | null;
  end: Uint8Array | null;
}

/** The searched part of a scope, by ordinals. */
export interface ListRange {
  scopeId: number;
  from: number;
  to: number;
  /** The share of the scope's listed items, 0 to 1. */
  share: number;
}

/** Lists with fewer items have no parts: they fit into the list's end (see MAX_END_BYTES). */
const LEAST_WITH_PARTS = Math.floor(MAX_END_BYTES / (MAX_POSTING_BYTES + 1));

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
      ORDER BY first_ordinal DESC LIMIT $11) AS newest) AS part
  UNION ALL
  SELECT DISTINCT ON (scope.id, block.first_term) scope.id, block.first_term, NULL, NULL, block.data
  FROM ${scopesAsked}
  CROSS JOIN unnest($4::int[]) AS query (term)
  CROSS JOIN LATERAL (
    SELECT first_term, data FROM search_list_block
    WHERE company_id = $1 AND scope_id = scope.id AND first_term <= query.term
    ORDER BY company_id, scope_id, first_term DESC LIMIT 1) AS block
  WHERE scope.indexed_until > 1`;

/** A row of READ_LISTS: a list, or (without df) the block of the terms from `term` on. */
type FoundRow = Omit<FoundList, 'df'> & { df: number | null };

/** The lists of terms, which are in rows of their own or in blocks. */
function listsOf(rows: readonly FoundRow[], terms: readonly number[]): FoundList[] {
  const blocks = Map.groupBy(
    rows.filter(({ df }) => df === null),
    ({ scopeId }) => scopeId,
  );
  const short = Array.from(blocks, ([scopeId, all]) => shortListsOf(scopeId, all, terms));
  return [...rows.flatMap(({ df, ...row }) => (df === null ? [] : [{ ...row, df }])), ...short.flat()];
}

function shortListsOf(scopeId: number, rows: readonly FoundRow[], terms: readonly number[]): FoundList[] {
  const blocks = rows.toSorted((one, other) => other.term - one.term);
  return terms.flatMap((term) => {
    const block = blocks.find(({ term: firstTerm }) => firstTerm <= term);
    const end = block?.end && findInBlock({ firstTerm: block.term, data: block.end }, term);
    return end ? [{ scopeId, term, df: countPostings(end), parts: null, end }] : [];
  });
}

/**
 * The reads of a search. Each term or item is looked up by a lateral subquery with OFFSET 0: in a plain join without
 * statistics, the planner would read all lists of the company.
 */
@Injectable()
export class LexicalRepository {
  /** The scopes that exist. */
  findScopes(tx: Transaction, scopes: readonly SearchScope[]): Promise<ScopeState[]> {
    return tx.query(`SELECT ${SCOPE_STATE} FROM ${scopesAsked}`, scopeValues(tx, scopes));
  }

  /** The items of scopes from an ordinal on, at most `limit` of each, the newest first. */
  listFrom(tx: Transaction, from: readonly Place[], limit: number): Promise<PendingItem[]> {
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
   * The lists of terms, with data for the rarest of them up to about `postings` in total, and at most the newest `parts`
   * of each list. `ranges`: the parts of scopes to read; null: all of them.
   */
  async readLists(
    tx: Transaction,
    scopes: readonly SearchScope[],
    terms: readonly number[],
    ranges: readonly ListRange[] | null,
    most: { postings: number; parts: number },
  ): Promise<FoundList[]> {
    const rows = await tx.query<FoundRow>(READ_LISTS, [
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
    return listsOf(rows, terms);
  }

  /** The items that still exist. */
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

  /** The positions of the items of groups, at most `limit`. */
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
