import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { SearchCollection } from '../search.js';
import { toHalfvec } from './vector.repository.js';
import type { VectorSpace } from './vector-schema.repository.js';

/**
 * The embedded part of a scope in a space: ordinals from `from` (inclusive) to `until` (exclusive). Newer items lie above
 * and are embedded first; items from before the space existed lie below and are embedded downwards.
 */
export interface Progress {
  scopeId: number;
  collection: SearchCollection;
  from: number;
  until: number;
  /** The scope's next ordinal. */
  next: number;
}

export interface EmbeddableItem {
  ordinal: number;
  id: string;
}

export interface Embedded {
  ordinal: number;
  vector: Float32Array;
}

const BATCH_ROWS = 5_000;

/** The vector spaces, which items of a company have no vector yet, and the claims of processes that embed them. */
@Injectable()
export class EmbeddingRepository {
  /** The space of a model's vectors, shared by all companies. Created if missing. */
  async space(
    tx: Transaction,
    { model, dimensions, noise }: { model: string; dimensions: number; noise: number },
  ): Promise<VectorSpace> {
    await tx.query(
      `INSERT INTO search_space (model, dimensions, noise) VALUES ($1, $2, $3)
       ON CONFLICT (model, dimensions) DO NOTHING`,
      [model, dimensions, noise],
    );
    const [space] = await tx.query<VectorSpace>(
      'SELECT id, dimensions FROM search_space WHERE model = $1 AND dimensions = $2',
      [model, dimensions],
    );
    if (!space) throw new Error(`There is no space of ${model} with ${dimensions} dimensions.`);
    return space;
  }

  /** Claims the company for `seconds`. False: another process has claimed it. */
  async claim(tx: Transaction, claimId: string, seconds: number): Promise<boolean> {
    return tx.any(
      `INSERT INTO search_embedding_claim AS claim (company_id, claim_id, claimed_until)
       VALUES ($1, $2, clock_timestamp() + $3 * interval '1 second')
       ON CONFLICT (company_id) DO UPDATE
         SET claim_id = excluded.claim_id, claimed_until = excluded.claimed_until
         WHERE claim.claim_id = excluded.claim_id OR claim.claimed_until < clock_timestamp()
       RETURNING 1 AS one`,
      [tx.companyId, claimId, seconds],
    );
  }

  async release(tx: Transaction, claimId: string): Promise<void> {
    await tx.query('DELETE FROM search_embedding_claim WHERE company_id = $1 AND claim_id = $2', [
      tx.companyId,
      claimId,
    ]);
  }

  /** A scope with items to embed; new items and small collections come first. Null: everything is embedded. */
  async findUnfinished(tx: Transaction, space: number): Promise<Progress | null> {
    const [, [progress]] = await awaitAll([
      tx.query(
        `INSERT INTO search_embedding (company_id, scope_id, space, embedded_from, embedded_until)
         SELECT s.company_id, s.id, $2, s.next_ordinal, s.next_ordinal FROM search_scope s
         WHERE s.company_id = $1 AND NOT EXISTS (SELECT FROM search_embedding e
           WHERE e.company_id = $1 AND e.scope_id = s.id AND e.space = $2)
         ON CONFLICT DO NOTHING`,
        [tx.companyId, space],
      ),
      tx.query<Progress>(
        `SELECT s.id AS "scopeId", s.collection, e.embedded_from AS "from", e.embedded_until AS "until",
           s.next_ordinal AS next
         FROM search_scope s
         JOIN search_embedding e ON e.company_id = $1 AND e.scope_id = s.id AND e.space = $2
         WHERE s.company_id = $1 AND (e.embedded_until < s.next_ordinal OR e.embedded_from > 1)
         ORDER BY e.embedded_until < s.next_ordinal DESC,
           array_position(ARRAY['MEMORY', 'MESSAGE', 'PASSAGE'], s.collection), s.id
         LIMIT 1`,
        [tx.companyId, space],
      ),
    ]);
    return progress ?? null;
  }

  /** The next items to embed: from `until` upwards, or if there are none, below `from` downwards. */
  listItems(
    tx: Transaction,
    { scopeId, from, until, next }: Progress,
    limit: number,
  ): Promise<EmbeddableItem[]> {
    const isNew = until < next;
    return tx.query(
      `SELECT ordinal, item_id AS id FROM search_item
       WHERE company_id = $1 AND scope_id = $2 AND ordinal >= $3 AND ordinal < $4
       ORDER BY ordinal ${isNew ? 'ASC' : 'DESC'} LIMIT $5`,
      [tx.companyId, scopeId, isNew ? until : 1, isNew ? next : from, limit],
    );
  }

  /** Increments the scope's version. First in its transaction, as everybody locks the scope first. */
  async incrementVersion(tx: Transaction, scopeId: number): Promise<void> {
    await tx.query('UPDATE search_scope SET version = version + 1 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      scopeId,
    ]);
  }

  /** Stores vectors, except of items that were deleted or indexed again meanwhile. */
  async storeVectors(
    tx: Transaction,
    { scopeId, space }: { scopeId: number; space: number },
    embedded: readonly Embedded[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO search_vector (company_id, scope_id, ordinal, space, embedding)
       SELECT i.company_id, i.scope_id, i.ordinal, $3, e.embedding::halfvec
       FROM unnest($4::int[], $5::text[]) AS e (ordinal, embedding)
       JOIN search_item i ON i.company_id = $1 AND i.scope_id = $2 AND i.ordinal = e.ordinal
       FOR KEY SHARE OF i
       ON CONFLICT DO NOTHING`,
      [
        tx.companyId,
        scopeId,
        space,
        embedded.map(({ ordinal }) => ordinal),
        embedded.map(({ vector }) => toHalfvec(vector)),
      ],
    );
  }

  /** Stores the progress, unless another process has done so first. */
  async advance(
    tx: Transaction,
    space: number,
    before: Progress,
    after: Pick<Progress, 'from' | 'until'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE search_embedding SET embedded_from = $6, embedded_until = $7
       WHERE company_id = $1 AND scope_id = $2 AND space = $3
         AND embedded_from = $4 AND embedded_until = $5`,
      [tx.companyId, before.scopeId, space, before.from, before.until, after.from, after.until],
    );
  }

  /** Removes a batch of vectors of other spaces, and finally their progress. False: there are more. */
  async removeOthers(tx: Transaction, space: number): Promise<boolean> {
    const rows = await tx.query(
      `DELETE FROM search_vector v USING (SELECT scope_id, ordinal, space FROM search_vector
         WHERE company_id = $1 AND space <> $2 LIMIT ${BATCH_ROWS}) other
       WHERE v.company_id = $1 AND v.scope_id = other.scope_id AND v.ordinal = other.ordinal
         AND v.space = other.space
       RETURNING 1 AS one`,
      [tx.companyId, space],
    );
    if (rows.length === BATCH_ROWS) return false;
    await tx.query('DELETE FROM search_embedding WHERE company_id = $1 AND space <> $2', [
      tx.companyId,
      space,
    ]);
    return true;
  }

  async largestScope(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ items: number }>(
      'SELECT coalesce(max(item_count), 0) AS items FROM search_scope WHERE company_id = $1',
      [tx.companyId],
    );
    return row?.items ?? 0;
  }
}
