import { Injectable } from '@nestjs/common';
import type { z } from 'zod';

import type { Transaction } from '../database/transaction.js';
import type { CompanyCreation } from './company-input.js';
import { Company } from './company.entity.js';

@Injectable()
export class CompanyRepository {
  /** In a system transaction. Rejects as the database does when the slug is taken. */
  async add(tx: Transaction, company: z.output<typeof CompanyCreation> & { id: string }): Promise<void> {
    const { id, slug, name, country = null, language = 'fr', sector = null } = company;
    await tx.query(
      `INSERT INTO company (id, slug, name, country, language, sector) VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, slug, name, country, language, sector],
    );
  }

  /** In a system transaction, when there is no company at all. */
  async addUnlessAny(tx: Transaction, company: Pick<Company, 'id' | 'slug' | 'name'>): Promise<void> {
    // Replicas that start together all find none; the slug's index lets one of them through.
    await tx.query(
      `INSERT INTO company (id, slug, name) SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT FROM company)
       ON CONFLICT (slug) DO NOTHING`,
      [company.id, company.slug, company.name],
    );
  }

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
