import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import type { SearchScope } from './search.js';
import type { SearchScopeRow } from './search-scope.entity.js';

export interface NewItem {
  id: string;
  groupId: string | null;
  /** In terms. */
  length: number;
}

export interface CompactionState {
  /** The hash of the next term. */
  term: number;
  /** The number of dead items at its start. */
  deadCount: number;
}

/** The state of a scope's row. */
export interface ScopeState extends Omit<
  SearchScopeRow,
  'companyId' | 'ownerId' | 'totalLength' | 'tailLength' | 'compaction'
> {
  totalLength: number;
  tailLength: number;
  compaction: CompactionState | null;
}

/** The counts of a group, and the lengths of its scope. */
interface GroupCounts {
  items: number;
  listed: number;
  /** The lengths are those of the whole scope. */
  totalLength: number;
  tailLength: number;
}

/** SQL: a ScopeState, of `scope`. */
export const SCOPE_STATE = `scope.id, scope.collection, scope.version, scope.item_count AS "itemCount",
  scope.total_length::float8 AS "totalLength", scope.tail_length::float8 AS "tailLength",
  scope.next_ordinal AS "nextOrdinal", scope.indexed_until AS "indexedUntil", scope.usual_length AS "usualLength",
  scope.dead_count AS "deadCount", scope.compaction`;

/** SQL condition with company, collection and owner as $1 to $3. Two variants, as each has its own partial index. */
function isScope(ownerId: string | null): string {
  return `scope.company_id = $1 AND scope.collection = $2 AND ${
    ownerId === null ? 'scope.owner_id IS NULL AND $3::uuid IS NULL' : 'scope.owner_id = $3'
  }`;
}

/**
 * SQL: the items selected by $4, of any scope, as `item`. Joined with the scope in one condition and without statistics,
 * the planner would read all items of the scope.
 */
const BY_ID = `unnest($4::uuid[]) AS asked (id)
  CROSS JOIN LATERAL (
    SELECT scope_id, ordinal FROM search_item WHERE company_id = $1 AND item_id = asked.id OFFSET 0) AS item`;
const BY_GROUP = `(
    SELECT scope_id, ordinal FROM search_item WHERE company_id = $1 AND group_id = $4 OFFSET 0) AS item`;

/** Bounds the batch: without statistics the planner compares each ordinal with all others. */
const DELETED_AT_A_TIME = 500;

/**
 * SQL: the scopes given by $2 (collections) and $3 (owners), as `scope`. The LIMIT cuts nothing off; it makes the planner
 * expect few rows without knowing the values. Otherwise it would reject the generic plan and plan the statement for every
 * query, which takes as long as executing it.
 */
export const scopesAsked = `(
    SELECT * FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY LIMIT cardinality($2::text[])
  ) AS asked (collection, owner_id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM search_scope WHERE company_id = $1 AND collection = asked.collection
      AND owner_id = asked.owner_id
    UNION ALL
    SELECT * FROM search_scope WHERE company_id = $1 AND collection = asked.collection
      AND owner_id IS NULL AND asked.owner_id IS NULL
    OFFSET 0) AS scope`;

export function scopeValues(tx: Transaction, scopes: readonly SearchScope[]): unknown[] {
  return [tx.companyId, scopes.map(({ collection }) => collection), scopes.map(({ ownerId }) => ownerId)];
}

/** Scopes and their items. Changes to a scope lock its row first. */
@Injectable()
export class SearchItemRepository {
  /** Inserts items, replacing those with the same ids. Null: the scope does not exist, so nothing was done. */
  async put(tx: Transaction, scope: SearchScope, items: readonly NewItem[]): Promise<ScopeState | null> {
    const ids = items.map(({ id }) => id);
    await this.remove(tx, scope, ids);
    return this.insert(tx, scope, items);
  }

  async create(tx: Transaction, { collection, ownerId }: SearchScope): Promise<void> {
    const conflict = ownerId === null ? '(company_id, collection) WHERE owner_id IS NULL' : OWNED;
    await tx.query(
      `INSERT INTO search_scope (company_id, collection, owner_id) VALUES ($1, $2, $3)
       ON CONFLICT ${conflict} DO NOTHING`,
      [tx.companyId, collection, ownerId],
    );
  }

  /** Deletes items and locks the scope. Null: none of them existed. */
  remove(tx: Transaction, scope: SearchScope, ids: readonly string[]): Promise<ScopeState | null> {
    return this.takeOut(tx, scope, BY_ID, ids);
  }

  removeGroup(tx: Transaction, scope: SearchScope, groupId: string): Promise<ScopeState | null> {
    return this.takeOut(tx, scope, BY_GROUP, groupId);
  }

  /** Ids and versions of scopes, in the requested order; null for those that do not exist. */
  async listVersions(tx: Transaction, scopes: readonly SearchScope[]): Promise<(string | null)[]> {
    const found = await tx.one<{ places: number[] | null; versions: string[] | null }>(
      `SELECT array_agg(place::int) AS places, array_agg(concat(scope.id, '.', scope.version)) AS versions
       FROM ${scopesAsked}`,
      scopeValues(tx, scopes),
    );
    const versions = new Map(
      (found?.places ?? []).map((place, index) => [place - 1, found?.versions?.[index]]),
    );
    return scopes.map((_, index) => versions.get(index) ?? null);
  }

  async countGroup(tx: Transaction, scope: SearchScope, groupId: string): Promise<GroupCounts | null> {
    const [counts] = await tx.query<GroupCounts>(
      `SELECT count(item)::int AS items, count(item) FILTER (WHERE item.ordinal < scope.indexed_until)::int AS listed,
         scope.total_length::float8 AS "totalLength", scope.tail_length::float8 AS "tailLength"
       FROM search_scope AS scope LEFT JOIN ${BY_GROUP} ON item.scope_id = scope.id
       WHERE ${isScope(scope.ownerId)} GROUP BY scope.total_length, scope.tail_length`,
      [tx.companyId, scope.collection, scope.ownerId, groupId],
    );
    return counts ?? null;
  }

  private async insert(
    tx: Transaction,
    { collection, ownerId }: SearchScope,
    items: readonly NewItem[],
  ): Promise<ScopeState | null> {
    const [state] = await tx.query<ScopeState>(
      `WITH grown AS (
         UPDATE search_scope AS scope SET version = version + 1, next_ordinal = next_ordinal + $4,
           item_count = item_count + $4, total_length = total_length + $5, tail_length = tail_length + $5
         WHERE ${isScope(ownerId)} RETURNING ${SCOPE_STATE}),
       added AS (
         INSERT INTO search_item (company_id, scope_id, ordinal, item_id, group_id, length)
         SELECT $1, grown.id, grown."nextOrdinal" - $4 + item.place - 1, item.id, item.group_id, item.length
         FROM grown, unnest($6::uuid[], $7::uuid[], $8::int[]) WITH ORDINALITY
           AS item (id, group_id, length, place))
       SELECT * FROM grown`,
      [
        tx.companyId,
        collection,
        ownerId,
        items.length,
        items.reduce((sum, { length }) => sum + length, 0),
        items.map(({ id }) => id),
        items.map(({ groupId }) => groupId),
        items.map(({ length }) => length),
      ],
    );
    return state ?? null;
  }

  private async takeOut(
    tx: Transaction,
    { collection, ownerId }: SearchScope,
    items: string,
    value: unknown,
  ): Promise<ScopeState | null> {
    const scope = [tx.companyId, collection, ownerId];
    const [, found] = await awaitAll([
      // Waits for concurrent changes to the scope, so that the next statement sees their result.
      tx.query(`SELECT FROM search_scope AS scope WHERE ${isScope(ownerId)} FOR NO KEY UPDATE`, scope),
      tx.query<{ id: number; ordinal: number }>(
        `SELECT scope.id, item.ordinal FROM search_scope AS scope, ${items}
         WHERE ${isScope(ownerId)} AND item.scope_id = scope.id ORDER BY item.ordinal`,
        [...scope, value],
      ),
    ]);
    let state: ScopeState | null = null;
    for (let at = 0; at < found.length; at += DELETED_AT_A_TIME) {
      const some = found.slice(at, at + DELETED_AT_A_TIME);
      state = await this.delete(
        tx,
        some[0]?.id ?? 0,
        some.map(({ ordinal }) => ordinal),
      );
    }
    return state;
  }

  /** `ordinals` are ascending. The caller holds the scope. */
  private async delete(
    tx: Transaction,
    scopeId: number,
    ordinals: readonly number[],
  ): Promise<ScopeState | null> {
    const [state] = await tx.query<ScopeState>(
      `WITH gone AS (
         DELETE FROM search_item WHERE company_id = $1 AND scope_id = $2 AND ordinal BETWEEN $3 AND $4
           AND ordinal IN (SELECT unnest($5::int[]))
         RETURNING ordinal, length),
       lost AS (
         SELECT count(*)::int AS items, sum(length) AS length,
           coalesce(sum(length) FILTER (WHERE ordinal >= indexed_until), 0) AS tail_length,
           count(*) FILTER (WHERE ordinal < indexed_until)::int AS listed
         FROM gone, (SELECT indexed_until FROM search_scope WHERE company_id = $1 AND id = $2) AS before)
       UPDATE search_scope AS scope SET version = version + 1, item_count = item_count - lost.items,
         total_length = total_length - lost.length, tail_length = scope.tail_length - lost.tail_length,
         dead_count = dead_count + lost.listed
       FROM lost WHERE scope.company_id = $1 AND scope.id = $2 RETURNING ${SCOPE_STATE}`,
      [tx.companyId, scopeId, ordinals[0], ordinals.at(-1), ordinals],
    );
    return state ?? null;
  }
}

const OWNED = '(company_id, collection, owner_id) WHERE owner_id IS NOT NULL';
