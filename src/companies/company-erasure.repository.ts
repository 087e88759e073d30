import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { keyedRowsOf } from '../platform/database/rows.js';
import { identifier } from '../platform/database/time-partitions.js';
import type { Transaction } from '../platform/database/transaction.js';

/** The record that a company was erased. It outlives the company; only operators see it. */
@Entity()
@Index('company_erasure_slug', ['slug'], { unique: true })
export class CompanyErasure {
  /** The company's id. */
  @PrimaryColumn('uuid')
  id!: string;

  /** The company's name in tokens. Never given to another company: old tokens may still be valid. */
  @Column('text')
  slug!: string;

  /** The operator's member id, or `command`. */
  @Column('text')
  requestedBy!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  requestedAt!: Date;

  /** Null: not all data are deleted yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  finishedAt!: Date | null;
}

/** Rows that one statement deletes. */
const BATCH = 5_000;

/** A foreign key: rows of `child` refer to rows of `parent`. */
export interface TableReference {
  child: string;
  parent: string;
}

/** Its rows are of the installation: they are read and written in system transactions. */
@Injectable()
export class CompanyErasureRepository extends keyedRowsOf(CompanyErasure) {
  /** In a system transaction. Takes the slug from the company, so that no token matches it. Null: there is none. */
  async releaseSlug(tx: Transaction, slug: string): Promise<string | null> {
    const [company] = await tx.query<{ id: string }>(
      `UPDATE company SET slug = 'erased ' || id WHERE slug = $1 RETURNING id`,
      [slug],
    );
    return company?.id ?? null;
  }

  /** In a system transaction: the latest first. */
  listLatest(tx: Transaction, limit: number): Promise<CompanyErasure[]> {
    return tx.select(CompanyErasure, 'true ORDER BY requested_at DESC, id DESC LIMIT $1', [limit]);
  }

  /** Whether the company is being erased and still has a row. */
  async isUnfinished(tx: Transaction): Promise<boolean> {
    return tx.any(`SELECT FROM company WHERE id = $1 AND slug = 'erased ' || id`, [tx.companyId]);
  }

  /** All tables with a `company_id` that this role may delete from. */
  async listTables(tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attname = 'company_id'
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND NOT attisdropped AND has_table_privilege(pg_class.oid, 'DELETE') ORDER BY relname`,
    );
    return rows.map(({ name }) => name);
  }

  listReferences(tx: Transaction): Promise<TableReference[]> {
    return tx.query<TableReference>(
      `SELECT child.relname AS child, parent.relname AS parent FROM pg_constraint
       JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
       WHERE contype = 'f' AND conrelid <> confrelid AND child.relnamespace = 'public'::regnamespace`,
    );
  }

  /** Deletes up to BATCH rows of the company, and gives how many. */
  async deleteBatch(tx: Transaction, table: string): Promise<number> {
    const name = identifier(table);
    const deleted = await tx.query(
      `DELETE FROM ${name} WHERE company_id = $1 AND (tableoid, ctid) IN
         (SELECT tableoid, ctid FROM ${name} WHERE company_id = $1 LIMIT ${BATCH}) RETURNING 1`,
      [tx.companyId],
    );
    return deleted.length;
  }
}
