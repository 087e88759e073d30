import type { EntityManager, EntityTarget, ObjectLiteral, QueryRunner, Repository } from 'typeorm';

/**
 * An open transaction of one company: row-level security shows it that company's rows and no other.
 * Services open one by `Database.transaction` and pass it on, openly, as the first argument.
 */
export class Transaction {
  private readonly committed: (() => void)[] = [];

  constructor(
    readonly companyId: string,
    private readonly runner: QueryRunner,
  ) {}

  get manager(): EntityManager {
    return this.runner.manager;
  }

  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return this.runner.manager.getRepository(entity);
  }

  /** Runs one statement and gives its rows, for SELECT and for RETURNING alike. */
  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const result = await this.runner.query(sql, values, true);
    return result.records as Row[];
  }

  /** Has `callback` run once the transaction is committed, and never if it is not. It must not throw. */
  afterCommit(callback: () => void): void {
    this.committed.push(callback);
  }

  /** For `Database`, which commits. */
  runAfterCommit(): void {
    for (const callback of this.committed) callback();
  }
}
