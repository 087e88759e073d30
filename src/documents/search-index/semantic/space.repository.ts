import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../platform/database/transaction.js';

/** A vector space: the vectors of one model with one length, which can be compared with each other. */
export interface VectorSpace {
  id: number;
  dimensions: number;
}

/** The name of a space's vector index, which exists only if some scope is large. */
export function vectorIndexOf(spaceId: number | string): string {
  return `search_vector_space_${spaceId}`;
}

/** The vector spaces of the installation, shared by all companies. */
@Injectable()
export class VectorSpaceRepository {
  /** Adds the space, unless another process has done so first. */
  async add(
    tx: Transaction,
    { model, dimensions, noise }: { model: string; dimensions: number; noise: number },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO search_space (model, dimensions, noise) VALUES ($1, $2, $3)
       ON CONFLICT (model, dimensions) DO NOTHING`,
      [model, dimensions, noise],
    );
  }

  async get(
    tx: Transaction,
    { model, dimensions }: { model: string; dimensions: number },
  ): Promise<VectorSpace> {
    const [space] = await tx.query<VectorSpace>(
      'SELECT id, dimensions FROM search_space WHERE model = $1 AND dimensions = $2',
      [model, dimensions],
    );
    if (!space) throw new Error(`There is no space of ${model} with ${dimensions} dimensions.`);
    return space;
  }

  /** A page of companies, in the order of their ids. */
  async listCompanies(tx: Transaction, after: string | null, limit: number): Promise<string[]> {
    return tx.ids('SELECT id FROM company WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2', [
      after,
      limit,
    ]);
  }
}
