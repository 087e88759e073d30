import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { Company } from './company.entity.js';

@Injectable()
export class CompanyRepository {
  /** In a system transaction: a token names its company by slug. */
  async findIdBySlug(tx: Transaction, slug: string): Promise<string | null> {
    const [row] = await tx.query<{ id: string }>('SELECT id FROM company WHERE slug = $1', [slug]);
    return row?.id ?? null;
  }

  async find(tx: Transaction): Promise<Company | null> {
    return tx.selectOne(Company, 'id = $1', [tx.companyId]);
  }

  /** The company, held until `tx` ends. */
  async lock(tx: Transaction): Promise<Company | null> {
    const [company] = await tx.select(Company, 'id = $1 FOR NO KEY UPDATE', [tx.companyId]);
    return company ?? null;
  }

  async update(tx: Transaction, changes: Partial<Company>): Promise<void> {
    // Named without its columns: TypeORM's type of a partial row does not end on a recursive JSON type.
    await tx.repository<object>(Company).update({ id: tx.companyId }, changes);
  }
}
