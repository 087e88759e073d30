import { Injectable } from '@nestjs/common';
import { changeBlocks } from '@palabre/lexical';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { disableDeadline } from '../../../platform/database/connection-failure.js';
import type { Database } from '../../../platform/database/database.js';
import {
  blockColumnsOf,
  endColumnsOf,
  type ListAddition,
  type ListChanges,
  listsOfAddition,
  MAX_END_BYTES,
  type StoredList,
  type StoredLists,
  type StoredPart,
} from './inverted-lists.js';
import { listBlocks, writeBlocks } from './list-block.repository.js';
import { asParameter, int4Array } from './postgres-arrays.js';
import { type CompactionState, SCOPE_STATE, type ScopeState } from '../search-item.repository.js';
import { SearchScopeRow } from '../search-scope.entity.js';

/** The first half of the advisory lock's key; the scope's id is the second. */
const LOCK = 726_511_703;

export const LAST_TERM = 2 ** 31 - 1;

/** An approximate value. */
const LISTS_A_BLOCK = 40;

export interface PendingItem {
  ordinal: number;
  itemId: string;
  length: number;
}

/** Items that were moved into the lists. */
interface Advance {
  from: number;
  to: number;
  /** The number of added items, some of which may be deleted already. */
  items: number;
  usualLength: number;
}

/** The writes to a scope's lists. They address rows by key, so that the planner needs no statistics. */
@Injectable()
export class ListRepository {
  /** Null: the scope is gone. */
  async find(tx: Transaction, scopeId: number): Promise<ScopeState | null> {
    const [state] = await tx.query<ScopeState>(
      `SELECT ${SCOPE_STATE} FROM search_scope AS scope WHERE company_id = $1 AND id = $2`,
      [tx.companyId, scopeId],
    );
    return state ?? null;
  }

  /** Scopes with a compaction under way or to be made. */
  async listUncompacted(tx: Transaction, limit: number): Promise<number[]> {
    const scopes = await tx.query<{ id: number }>(
      `SELECT id FROM search_scope WHERE company_id = $1 AND (dead_count > 0 OR compaction IS NOT NULL)
       ORDER BY id LIMIT $2`,
      [tx.companyId, limit],
    );
    return scopes.map(({ id }) => id);
  }

  /** Locks the scope's lists for writing until `tx` ends, and reads their state. */
  async hold(tx: Transaction, scopeId: number): Promise<ScopeState | null> {
    const [, state] = await awaitAll([
      tx.query('SELECT pg_advisory_xact_lock($1, $2)', [LOCK, scopeId]),
      this.find(tx, scopeId),
    ]);
    return state;
  }

  /** The next items to list, at most `limit`. */
  listPending(tx: Transaction, scopeId: number, indexedUntil: number, limit: number): Promise<PendingItem[]> {
    return tx.query(
      `SELECT ordinal, item_id AS "itemId", length FROM search_item
       WHERE company_id = $1 AND scope_id = $2 AND ordinal >= $3
       ORDER BY company_id, scope_id, ordinal LIMIT $4`,
      [tx.companyId, scopeId, indexedUntil, limit],
    );
  }

  /** Appends to lists. The caller holds the lists. */
  async append(tx: Transaction, scopeId: number, addition: ListAddition): Promise<void> {
    const lists = listsOfAddition(addition);
    const { first, last } = { first: lists[0]?.term ?? 0, last: lists.at(-1)?.term ?? 0 };
    const [own, blocks] = await awaitAll([
      this.listOwn(
        tx,
        scopeId,
        lists.map(({ term }) => term),
      ),
      listBlocks(tx, scopeId, { first, last }),
    ]);
    const short = changeBlocks(
      blocks,
      lists.filter(({ term }) => !own.has(term)),
    );
    const long = [...lists.filter(({ term }) => own.has(term)), ...short.grown];
    await writeBlocks(tx, scopeId, {
      blocks: blockColumnsOf(short.blocks),
      blocksDeleted: { firstTerms: int4Array(short.deleted) },
    });
    if (long.length > 0) await this.appendOwn(tx, scopeId, endColumnsOf(long));
  }

  /** The terms that have a list of their own. */
  private async listOwn(tx: Transaction, scopeId: number, terms: readonly number[]): Promise<Set<number>> {
    const rows = await tx.query<{ term: number }>(
      `SELECT list.term FROM unnest($3::int[]) AS asked (term)
       CROSS JOIN LATERAL (
         SELECT term FROM search_list WHERE company_id = $1 AND scope_id = $2 AND term = asked.term OFFSET 0) AS list`,
      [tx.companyId, scopeId, asParameter(int4Array(terms))],
    );
    return new Set(rows.map(({ term }) => term));
  }

  /** Ends that have grown too long become parts. */
  private async appendOwn(
    tx: Transaction,
    scopeId: number,
    { terms, dfs, firstOrdinals, data }: ListChanges['ends'],
  ): Promise<void> {
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
      [tx.companyId, scopeId, ...[terms, dfs, firstOrdinals, data].map(asParameter), MAX_END_BYTES],
    );
    if (left.length === 0) return;
    await tx.query(
      `INSERT INTO search_list (company_id, scope_id, term, df, first_ordinal, data)
       SELECT $1, $2, term, 0, 0, '' FROM unnest($3::int[]) AS emptied (term)
       ON CONFLICT (company_id, scope_id, term) DO UPDATE SET data = ''`,
      [tx.companyId, scopeId, left.map(({ term }) => term)],
    );
  }

  /** Marks items as listed. Those deleted meanwhile are counted as dead. */
  async advance(tx: Transaction, scopeId: number, advance: Advance): Promise<ScopeState | null> {
    const [, [state]] = await awaitAll([
      // With the scope locked nothing is removed from it, so the counts are stable.
      tx.query('SELECT FROM search_scope WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        tx.companyId,
        scopeId,
      ]),
      tx.query<ScopeState>(
        `WITH listed AS (
           SELECT count(*)::int AS items, coalesce(sum(length), 0) AS length FROM search_item
           WHERE company_id = $1 AND scope_id = $2 AND ordinal >= $3 AND ordinal < $4)
         UPDATE search_scope AS scope SET indexed_until = $4, tail_length = tail_length - listed.length,
           dead_count = dead_count + $5 - listed.items, usual_length = $6
         FROM listed WHERE company_id = $1 AND id = $2 RETURNING ${SCOPE_STATE}`,
        [tx.companyId, scopeId, advance.from, advance.to, advance.items, advance.usualLength],
      ),
    ]);
    return state ?? null;
  }

  /** Ranges of ordinals below `until` without items. */
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

  /** Whole lists from a term on, about `limit` of each kind at most, in the order of the terms. */
  async listLists(
    tx: Transaction,
    scopeId: number,
    fromTerm: number,
    limit: number,
  ): Promise<StoredLists & { last: number }> {
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
    const range = {
      first: fromTerm,
      last: ends.length < limit ? LAST_TERM : (ends.at(-1)?.term ?? LAST_TERM),
    };
    const mostBlocks = Math.ceil(limit / LISTS_A_BLOCK);
    const blocks = await listBlocks(tx, scopeId, range, mostBlocks + 1);
    const beyond = blocks.splice(mostBlocks)[0];
    const last = beyond ? beyond.firstTerm - 1 : range.last;
    return {
      lists: ends
        .filter(({ term }) => term <= last)
        .map((end) => ({ ...end, parts: partsOf.get(end.term) ?? [] })),
      blocks,
      last,
    };
  }

  /** Changes lists with terms from `first` to `last`. The caller holds the lists. */
  async change(
    tx: Transaction,
    scopeId: number,
    { ends, endsDeleted, parts, partsDeleted, ...blocks }: ListChanges,
    terms: { first: number; last: number },
  ): Promise<void> {
    const within = [tx.companyId, scopeId, terms.first, terms.last];
    await awaitAll([
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
      writeBlocks(tx, scopeId, blocks),
    ]);
  }

  async keepCompaction(tx: Transaction, scopeId: number, state: CompactionState): Promise<void> {
    await tx.update(SearchScopeRow, { id: scopeId }, { compaction: { ...state } });
  }

  /**
   * Vacuums the tables: frees the space of replaced and deleted rows and overwrites their data, without blocking anybody.
   * The embedded database has no autovacuum.
   */
  async sweep(database: Database): Promise<void> {
    const runner = database.dataSource.createQueryRunner();
    try {
      await disableDeadline(runner);
      await runner.query(
        'VACUUM (SKIP_LOCKED) search_list, search_list_part, search_list_block, search_item',
      );
    } finally {
      await runner.release();
    }
  }

  async endCompaction(
    tx: Transaction,
    scopeId: number,
    { deadCount }: CompactionState,
  ): Promise<ScopeState | null> {
    const [state] = await tx.query<ScopeState>(
      `UPDATE search_scope AS scope SET compaction = NULL, dead_count = dead_count - $3
       WHERE company_id = $1 AND id = $2 RETURNING ${SCOPE_STATE}`,
      [tx.companyId, scopeId, deadCount],
    );
    return state ?? null;
  }
}
