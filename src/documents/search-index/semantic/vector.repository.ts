import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { scopesAsked, scopeValues } from '../search-item.repository.js';
import type { SearchScope } from '../search.js';
import { type VectorSpace, vectorIndexOf } from './vector-schema.repository.js';

/** The existing scopes to search, and their space. */
interface VectorScopes extends VectorSpace {
  scopeIds: number[];
  items: number;
  /** The similarity below which texts count as unrelated. */
  noise: number;
  isIndexed: boolean;
}

interface NearRow {
  id: string;
  similarity: number;
}

interface NearRequest {
  vector: Float32Array;
  groupIds: readonly string[] | undefined;
  limit: number;
}

/** hnsw.ef_search: more than most queries ask for, as the index also contains other companies' vectors. */
const INDEX_BREADTH = 200;

/** hnsw.max_scan_tuples: bounds the scan when a company has few vectors among many. */
const MAX_SCANNED = 40_000;

/** Nearest-neighbour queries. */
@Injectable()
export class VectorRepository {
  /** Null: the space or the scopes do not exist yet. */
  async findScopes(
    tx: Transaction,
    scopes: readonly SearchScope[],
    { model, dimensions }: { model: string; dimensions: number },
  ): Promise<VectorScopes | null> {
    const [row] = await tx.query<VectorScopes>(
      `SELECT space.id, space.dimensions, space.noise, array_agg(scope.id) AS "scopeIds",
         sum(scope.item_count)::int AS items,
         EXISTS (SELECT FROM pg_index
           WHERE indexrelid = to_regclass('${vectorIndexOf('')}' || space.id) AND indisvalid) AS "isIndexed"
       FROM search_space space CROSS JOIN (SELECT scope.* FROM ${scopesAsked}) AS scope
       WHERE space.model = $4 AND space.dimensions = $5
       GROUP BY space.id`,
      [...scopeValues(tx, scopes), model, dimensions],
    );
    return row ?? null;
  }

  /** The exact nearest neighbours: compares every vector. */
  listNearest(tx: Transaction, scopes: VectorScopes, request: NearRequest): Promise<NearRow[]> {
    return tx.query(nearest(scopes, 'v.embedding', '$3::halfvec'), valuesOf(tx, scopes, request));
  }

  /** Approximate nearest neighbours by the index, for large scopes. */
  async listNearestByIndex(tx: Transaction, scopes: VectorScopes, request: NearRequest): Promise<NearRow[]> {
    const type = `halfvec(${scopes.dimensions})`;
    const [, rows] = await awaitAll([
      tx.query(
        `SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.ef_search', '${INDEX_BREADTH}', true),
           set_config('hnsw.max_scan_tuples', '${MAX_SCANNED}', true)`,
      ),
      tx.query<NearRow>(
        nearest(scopes, `v.embedding::${type}`, `$3::${type}`),
        valuesOf(tx, scopes, request),
      ),
    ]);
    return rows;
  }
}

/**
 * The space is inlined as a constant to match the partial index's condition. For unit vectors the inner product is the
 * cosine.
 */
function nearest(scopes: VectorScopes, embedding: string, asked: string): string {
  return `
  SELECT i.item_id AS id, near.similarity
  FROM (
    SELECT v.scope_id, v.ordinal, -(${embedding} <#> ${asked}) AS similarity
    FROM search_vector v
    WHERE v.company_id = $1 AND v.scope_id = ANY ($2) AND v.space = ${scopes.id}
      AND ($5::uuid[] IS NULL OR EXISTS (SELECT FROM search_item i WHERE i.company_id = $1
        AND i.scope_id = v.scope_id AND i.ordinal = v.ordinal AND i.group_id = ANY ($5)))
    ORDER BY ${embedding} <#> ${asked}
    LIMIT $4
  ) near
  JOIN search_item i ON i.company_id = $1 AND i.scope_id = near.scope_id AND i.ordinal = near.ordinal
  ORDER BY near.similarity DESC, i.item_id`;
}

function valuesOf(
  tx: Transaction,
  { scopeIds }: VectorScopes,
  { vector, groupIds, limit }: NearRequest,
): unknown[] {
  return [tx.companyId, scopeIds, toHalfvec(vector), limit, groupIds ?? null];
}

/** The vector as pgvector's text, with the digits that half precision keeps. */
export function toHalfvec(vector: Float32Array): string {
  return `[${Array.from(vector, (number) => number.toFixed(6)).join(',')}]`;
}
