import { Injectable } from '@nestjs/common';

import type { Database } from '../../database/database.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { SearchCollection } from '../search.js';
import type { ListAddition } from './list-building.js';
import { type ListChanges, MOST_END_BYTES, type StoredList, type StoredPart } from './list-compaction.js';

/** Told apart from other advisory locks of the database by this first half of their key; the scope is the other. */
const LOCK = 726_511_703;

/** What has been compacted of a scope's lists in a run that is under way. */
export interface CompactionState {
  /** The next term, by its hash. */
  term: number;
  /** How many items there were to be taken out when it began. */
  deadCount: number;
}

/** How a scope's lists stand. */
export interface ListState {
  collection: SearchCollection;
  itemCount: number;
  totalLength: number;
  tailLength: number;
  indexedUntil: number;
  usualLength: number;
  deadCount: number;
  compaction: CompactionState | null;
}

export interface TailItem {
  ordinal: number;
  itemId: string;
  length: number;
}

/** What has gone from the tail into the lists. */
export interface Advance {
  from: number;
  to: number;
  /** How many were taken in, of which some may be gone by now. */
  items: number;
  usualLength: number;
}

const STATE = `collection, item_count AS "itemCount", total_length::float8 AS "totalLength",
  tail_length::float8 AS "tailLength", indexed_until AS "indexedUntil", usual_length AS "usualLength",
  dead_count AS "deadCount", compaction`;

/** A scope's lists, for those who write them. Every write goes by the key of the row: no statistics mislead it. */
@Injectable()
export class ListRepository {
  /** Null: the scope is gone. */
  async find(tx: Transaction, scopeId: number): Promise<ListState | null> {
    const [state] = await tx.query<ListState>(
      `SELECT ${STATE} FROM search_scope WHERE company_id = $1 AND id = $2`,
      [tx.companyId, scopeId],
    );
    return state ?? null;
  }

  /** Waits until nobody else writes the scope's lists, keeps others from it until `tx` ends, and finds it then. */
  async hold(tx: Transaction, scopeId: number): Promise<ListState | null> {
    const [, state] = await together([
      tx.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK, scopeId]),
      this.find(tx, scopeId),
    ]);
    return state;
  }

  /** What is to go into the lists next, at most `limit`. */
  listTail(tx: Transaction, scopeId: number, indexedUntil: number, limit: number): Promise<TailItem[]> {
    return tx.query(
      `SELECT ordinal, item_id AS "itemId", length FROM search_item
       WHERE company_id = $1 AND scope_id = $2 AND ordinal >= $3
       ORDER BY company_id, scope_id, ordinal LIMIT $4`,
      [tx.companyId, scopeId, indexedUntil, limit],
    );
  }

  /** Appends to lists; ends that have become too long become parts. Whoever calls this holds the lists. */
  async append(tx: Transaction, scopeId: number, addition: ListAddition): Promise<void> {
    const { terms, dfs, firstOrdinals, data } = addition;
    const left = await tx.query<{ term: number }>(
      `WITH list AS (
         INSERT INTO search_list AS list (company_id, scope_id, term, df, first_ordinal, data)
         SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::int[], $6::bytea[])
         ON CONFLICT (company_id, scope_id, term) DO UPDATE SET df = list.df + excluded.df,
           first_ordinal = CASE WHEN length(list.data) = 0 THEN excluded.first_ordinal
             ELSE list.first_ordinal END,
           data = list.data || excluded.data
         RETURNING term, first_ordinal, CASE WHEN length(data) > $7 THEN data END AS data)
       INSERT INTO search_list_part (company_id, scope_id, term, first_ordinal, data)
       SELECT $1, $2, term, first_ordinal, data FROM list WHERE data IS NOT NULL RETURNING term`,
      [tx.companyId, scopeId, ...[terms, dfs, firstOrdinals, data].map(asParameter), MOST_END_BYTES],
    );
    if (left.length === 0) return;
    await tx.query(
      `INSERT INTO search_list (company_id, scope_id, term, df, first_ordinal, data)
       SELECT $1, $2, term, 0, 0, '' FROM unnest($3::int[]) AS emptied (term)
       ON CONFLICT (company_id, scope_id, term) DO UPDATE SET data = ''`,
      [tx.companyId, scopeId, left.map(({ term }) => term)],
    );
  }

  /** Says that items are in the lists. What was removed while they were on their way is dead in there. */
  async advance(tx: Transaction, scopeId: number, advance: Advance): Promise<ListState | null> {
    const [, [state]] = await together([
      // From here on nothing is removed from the scope, so that what is counted stays.
      tx.query('SELECT FROM search_scope WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        tx.companyId,
        scopeId,
      ]),
      tx.query<ListState>(
        `WITH listed AS (
           SELECT count(*)::int AS items, coalesce(sum(length), 0) AS length FROM search_item
           WHERE company_id = $1 AND scope_id = $2 AND ordinal >= $3 AND ordinal < $4)
         UPDATE search_scope SET indexed_until = $4, tail_length = tail_length - listed.length,
           dead_count = dead_count + $5 - listed.items, usual_length = $6
         FROM listed WHERE company_id = $1 AND id = $2 RETURNING ${STATE}`,
        [tx.companyId, scopeId, advance.from, advance.to, advance.items, advance.usualLength],
      ),
    ]);
    return state ?? null;
  }

  /** Ordinals below `until` that no item has any more, in ranges. */
  listGaps(tx: Transaction, scopeId: number, until: number): Promise<{ from: number; to: number }[]> {
    return tx.query(
      `SELECT before + 1 AS from, ordinal - 1 AS to
       FROM (
         SELECT ordinal, coalesce(lag(ordinal) OVER (ORDER BY ordinal), 0) AS before
         FROM (
           SELECT ordinal FROM search_item WHERE company_id = $1 AND scope_id = $2 AND ordinal < $3
           UNION ALL SELECT $3::int) AS listed) AS step
       WHERE ordinal > before + 1`,
      [tx.companyId, scopeId, until],
    );
  }

  /** Whole lists from a term on, at most `limit`, in the order of the terms. */
  async listLists(tx: Transaction, scopeId: number, fromTerm: number, limit: number): Promise<StoredList[]> {
    const ends = await tx.query<Omit<StoredList, 'parts'>>(
      `SELECT term, df, first_ordinal AS "firstOrdinal", data FROM search_list
       WHERE company_id = $1 AND scope_id = $2 AND term >= $3::bigint
       ORDER BY company_id, scope_id, term LIMIT $4`,
      [tx.companyId, scopeId, fromTerm, limit],
    );
    const parts = await tx.query<StoredPart & { term: number }>(
      `SELECT term, first_ordinal AS "firstOrdinal", data FROM search_list_part
       WHERE company_id = $1 AND scope_id = $2 AND term BETWEEN $3 AND $4
       ORDER BY company_id, scope_id, term, first_ordinal`,
      [tx.companyId, scopeId, ends[0]?.term ?? 0, ends.at(-1)?.term ?? 0],
    );
    const partsOf = Map.groupBy(parts, ({ term }) => term);
    return ends.map((end) => ({ ...end, parts: partsOf.get(end.term) ?? [] }));
  }

  /** Changes lists of which `terms` has the first and the last. Whoever calls this holds the lists. */
  async change(
    tx: Transaction,
    scopeId: number,
    { ends, endsDeleted, parts, partsDeleted }: ListChanges,
    terms: { first: number; last: number },
  ): Promise<void> {
    const within = [tx.companyId, scopeId, terms.first, terms.last];
    await together([
      tx.query(
        `DELETE FROM search_list WHERE company_id = $1 AND scope_id = $2 AND term BETWEEN $3 AND $4
           AND term = ANY($5::int[])`,
        [...within, asParameter(endsDeleted.terms)],
      ),
      tx.query(
        `DELETE FROM search_list_part WHERE company_id = $1 AND scope_id = $2 AND term BETWEEN $3 AND $4
           AND (term, first_ordinal) IN (SELECT * FROM unnest($5::int[], $6::int[]))`,
        [...within, ...[partsDeleted.terms, partsDeleted.firstOrdinals].map(asParameter)],
      ),
      tx.query(
        `INSERT INTO search_list (company_id, scope_id, term, df, first_ordinal, data)
         SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::int[], $6::bytea[])
         ON CONFLICT (company_id, scope_id, term) DO UPDATE
           SET df = excluded.df, first_ordinal = excluded.first_ordinal, data = excluded.data`,
        [tx.companyId, scopeId, ...[ends.terms, ends.dfs, ends.firstOrdinals, ends.data].map(asParameter)],
      ),
      tx.query(
        `INSERT INTO search_list_part (company_id, scope_id, term, first_ordinal, data)
         SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::bytea[])
         ON CONFLICT (company_id, scope_id, term, first_ordinal) DO UPDATE SET data = excluded.data`,
        [tx.companyId, scopeId, ...[parts.terms, parts.firstOrdinals, parts.data].map(asParameter)],
      ),
    ]);
  }

  async keepCompaction(tx: Transaction, scopeId: number, state: CompactionState): Promise<void> {
    await tx.query('UPDATE search_scope SET compaction = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      scopeId,
      JSON.stringify(state),
    ]);
  }

  /**
   * Gives the room of rows that were replaced or deleted to new ones, and overwrites what was in them; nobody waits for
   * it. The embedded database does not do so by itself at all, and a server in its own time.
   */
  async sweep(database: Database): Promise<void> {
    await database.dataSource.query('VACUUM (SKIP_LOCKED) search_list, search_list_part, search_item');
  }

  async endCompaction(
    tx: Transaction,
    scopeId: number,
    { deadCount }: CompactionState,
  ): Promise<ListState | null> {
    const [state] = await tx.query<ListState>(
      `UPDATE search_scope SET compaction = NULL, dead_count = dead_count - $3
       WHERE company_id = $1 AND id = $2 RETURNING ${STATE}`,
      [tx.companyId, scopeId, deadCount],
    );
    return state ?? null;
  }
}

/** The driver sends a Buffer as it is, and nothing else; what comes from a thread is none any more. */
const asParameter = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
