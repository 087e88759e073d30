import { Column, PrimaryColumn, type ObjectLiteral } from 'typeorm';

import type { RowKey, RowPart, Transaction } from './transaction.js';

/** The first columns of every company's row. */
export abstract class CompanyRow {
  @PrimaryColumn('uuid')
  companyId!: string;
}

/** A row with an id of its own, which is unique in the whole installation. Later rows have larger ids. */
export abstract class IdentifiedRow extends CompanyRow {
  @PrimaryColumn('uuid')
  id!: string;
}

export abstract class CreatedRow extends IdentifiedRow {
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** The basic methods of a repository: the company's rows of an entity, by values of their columns. */
export function rowsOf<E extends ObjectLiteral & { id: string }>(entity: new () => E) {
  return class extends keyedRowsOf(entity) {
    /** Rows with ids after `after`, in order of id. */
    listAfter(tx: Transaction, key: RowKey<E>, after: string | null, limit: number): Promise<E[]> {
      return tx.listAfter(entity, key, after, limit);
    }
  };
}

/** The same for rows without ids. */
export function keyedRowsOf<E extends ObjectLiteral>(entity: new () => E) {
  return class {
    /** The first one. */
    find(tx: Transaction, key: RowKey<E>): Promise<E | null> {
      return tx.find(entity, key);
    }

    /** The first one, locked until the transaction ends. */
    lock(tx: Transaction, key: RowKey<E>, how?: 'FOR UPDATE' | 'FOR KEY SHARE'): Promise<E | null> {
      return tx.lock(entity, key, how);
    }

    /** `end` may order them. */
    list(tx: Transaction, key: RowKey<E> = {}, end = ''): Promise<E[]> {
      return tx.list(entity, key, end);
    }

    /** False: `end`, such as `ON CONFLICT DO NOTHING`, prevented it. */
    insert(tx: Transaction, row: RowPart<E>, end = ''): Promise<boolean> {
      return tx.insert(entity, row, end);
    }

    /** Inserts a row, or updates the one with its primary key. */
    put(tx: Transaction, row: RowPart<E>): Promise<void> {
      return tx.put(entity, row);
    }

    /** False: no such row. */
    update(tx: Transaction, key: RowKey<E>, changes: RowPart<E>): Promise<boolean> {
      return tx.update(entity, key, changes);
    }

    /** False: no such row. */
    delete(tx: Transaction, key: RowKey<E>): Promise<boolean> {
      return tx.delete(entity, key);
    }
  };
}

const REMEMBERED = 100_000;

/**
 * Adds rows that ship with Palabre, such as assistants and skills, to a company when this process first needs them. So a
 * new version brings new rows without a loop over all companies, and a new company has them at once.
 */
export class OncePerCompany {
  private readonly done = new Set<string>();

  constructor(private readonly add: (tx: Transaction) => Promise<void>) {}

  /** Adds missing rows the first time a company is seen. Adding twice must do no harm. */
  async ensure(tx: Transaction): Promise<void> {
    if (this.done.has(tx.companyId)) return;
    await this.add(tx);
    if (this.done.size >= REMEMBERED) this.done.clear();
    tx.afterCommit(() => this.done.add(tx.companyId));
  }
}
