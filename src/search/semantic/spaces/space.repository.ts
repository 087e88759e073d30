import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../database/transaction.js';
import type { Space } from './space.js';

/** The spaces of the installation: they say nothing of any company. */
@Injectable()
export class SpaceRepository {
  /** Does nothing where another process was first. */
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

  async get(tx: Transaction, { model, dimensions }: { model: string; dimensions: number }): Promise<Space> {
    const [space] = await tx.query<Space>(
      'SELECT id, dimensions FROM search_space WHERE model = $1 AND dimensions = $2',
      [model, dimensions],
    );
    if (!space) throw new Error(`There is no space of ${model} with ${dimensions} dimensions.`);
    return space;
  }

  /** Some companies, in the order of their ids. */
  async listCompanies(tx: Transaction, after: string | null, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT id FROM company WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }
}
