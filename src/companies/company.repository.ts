import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import type { ForeignTextPolicy } from './company-input.js';
import { keyedRowsOf } from '../platform/database/rows.js';
import type { Transaction } from '../platform/database/transaction.js';
import type { Database } from '../platform/database/database.js';

/** A tenant. Its id is the `company_id` of every other row. */
@Entity()
@Index('company_slug', ['slug'], { unique: true })
@Check('company_headcount', '"headcount" >= 0')
export class Company {
  @PrimaryColumn('uuid')
  id!: string;

  /** The name of the company in tokens. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  sector!: string | null;

  /** ISO 3166-1 alpha-2. */
  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text', { nullable: true })
  city!: string | null;

  @Column('integer', { nullable: true })
  headcount!: number | null;

  @Column('double precision', { nullable: true })
  revenueAmount!: number | null;

  /** ISO 4217. Null if and only if there is no amount. */
  @Column('text', { nullable: true })
  revenueCurrency!: string | null;

  @Column('text', { array: true, default: '{}' })
  environmentalPractices!: string[];

  @Column('text', { array: true, default: '{}' })
  declaredGoals!: string[];

  @Column('jsonb', { default: {} })
  attributes!: JsonObject;

  /** BCP 47. */
  @Column('text', { default: 'fr' })
  language!: string;

  @Column('text', { default: 'ASK' })
  foreignTextPolicy!: ForeignTextPolicy;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

const PAGE = 500;

@Injectable()
export class CompanyRepository extends keyedRowsOf(Company) {
  /** In a system transaction. Adds the company if there is none and never was one. */
  async addUnlessAny(tx: Transaction, company: Pick<Company, 'id' | 'slug' | 'name'>): Promise<void> {
    // Replicas that start together may all find none. The unique index on the slug lets one of them insert it.
    await tx.query(
      `INSERT INTO company (id, slug, name) SELECT $1, $2, $3
       WHERE NOT EXISTS (SELECT FROM company) AND NOT EXISTS (SELECT FROM company_erasure)
       ON CONFLICT (slug) DO NOTHING`,
      [company.id, company.slug, company.name],
    );
  }

  /** In a system transaction. The preferred slug if it exists, else the oldest company's; null: there is no company. */
  async findSlug(tx: Transaction, preferred: string): Promise<string | null> {
    const [row] = await tx.query<{ slug: string }>(
      'SELECT slug FROM company ORDER BY slug = $1 DESC, created_at, id LIMIT 1',
      [preferred],
    );
    return row?.slug ?? null;
  }

  /** In a system transaction. */
  async findIdBySlug(tx: Transaction, slug: string): Promise<string | null> {
    const [row] = await tx.query<{ id: string }>('SELECT id FROM company WHERE slug = $1', [slug]);
    return row?.id ?? null;
  }

  /** Locks the transaction's company until it ends: for what a company has a limited number of. */
  lockOwn(tx: Transaction): Promise<Company | null> {
    return this.lock(tx, { id: tx.companyId });
  }
}

/** In a system transaction. A page of all companies in the order of their ids, from the first when `after` is null. */
export function listCompanyIds(tx: Transaction, after: string | null, limit: number): Promise<string[]> {
  return tx.ids('SELECT id FROM company WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2', [
    after,
    limit,
  ]);
}

/** The ids of all companies of the installation, read a page at a time. */
export async function* companyIds(database: Database): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page: string[] = await database.systemTransaction((tx) => listCompanyIds(tx, from, PAGE));
    yield* page;
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return;
  }
}
