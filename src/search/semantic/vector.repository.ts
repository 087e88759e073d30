import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { SearchScope } from '../search.js';
import { type Space, vectorIndexOf } from './spaces/space.js';
import { vectorText } from './vector-text.js';

/** What is searched: scopes that there are, and how. */
export interface VectorScopes extends Space {
  scopeIds: number[];
  items: number;
  /** Similarity above which two texts have something to do with each other. */
  noise: number;
  isIndexed: boolean;
}

export interface NearRow {
  id: string;
  similarity: number;
}

export interface NearRequest {
  vector: Float32Array;
  groupIds: readonly string[] | undefined;
  limit: number;
}

/** How many near ones a scan of an index looks at a time: more than most ask for, as others' are among them. */
const INDEX_BREADTH = 200;

/** Where a company's are few among many: so many are looked at before a scan gives up. */
const MOST_SCANNED = 40_000;

/** Reads the vectors of what can be found. */
@Injectable()
export class VectorRepository {
  /** Null: nothing is embedded in the space yet. */
  async findScopes(
    tx: Transaction,
    scopes: readonly SearchScope[],
    { model, dimensions }: { model: string; dimensions: number },
  ): Promise<VectorScopes | null> {
    const [row] = await tx.query<VectorScopes>(
      `WITH wanted AS (SELECT * FROM unnest($2::text[], $3::uuid[]) AS wanted (collection, owner_id)),
         scope AS (
           SELECT s.id, s.item_count FROM wanted
             JOIN search_scope s ON s.company_id = $1 AND s.collection = wanted.collection
               AND s.owner_id = wanted.owner_id
           UNION ALL
           SELECT s.id, s.item_count FROM wanted
             JOIN search_scope s ON s.company_id = $1 AND s.collection = wanted.collection
               AND s.owner_id IS NULL AND wanted.owner_id IS NULL)
       SELECT space.id, space.dimensions, space.noise, array_agg(scope.id) AS "scopeIds",
         sum(scope.item_count)::int AS items,
         EXISTS (SELECT FROM pg_index
           WHERE indexrelid = to_regclass('${vectorIndexOf('')}' || space.id) AND indisvalid) AS "isIndexed"
       FROM search_space space CROSS JOIN scope WHERE space.model = $4 AND space.dimensions = $5
       GROUP BY space.id`,
      [
        tx.companyId,
        scopes.map(({ collection }) => collection),
        scopes.map(({ ownerId }) => ownerId),
        model,
        dimensions,
      ],
    );
    return row ?? null;
  }

  /** The nearest of all, each one compared. */
  listNearest(tx: Transaction, scopes: VectorScopes, request: NearRequest): Promise<NearRow[]> {
    return tx.query(nearest(scopes, 'v.embedding', '$3::halfvec'), valuesOf(tx, scopes, request));
  }

  /** The nearest that a walk through the index comes upon: nearly all of them, of however many there are. */
  async listNearestByIndex(tx: Transaction, scopes: VectorScopes, request: NearRequest): Promise<NearRow[]> {
    const type = `halfvec(${scopes.dimensions})`;
    const [, rows] = await together([
      tx.query(
        `SELECT set_config('hnsw.iterative_scan', 'strict_order', true),
           set_config('hnsw.ef_search', '${INDEX_BREADTH}', true),
           set_config('hnsw.max_scan_tuples', '${MOST_SCANNED}', true)`,
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
 * The space is a constant, as it is in the index's condition. Vectors are of unit length, of which the inner product is
 * the cosine.
 */
const nearest = (scopes: VectorScopes, embedding: string, asked: string): string => `
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

const valuesOf = (
  tx: Transaction,
  { scopeIds }: VectorScopes,
  { vector, groupIds, limit }: NearRequest,
): unknown[] => [tx.companyId, scopeIds, vectorText(vector), limit, groupIds ?? null];
