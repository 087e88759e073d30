import type {
  EntityManager,
  EntityMetadata,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
  Repository,
} from 'typeorm';

import { together } from './together.js';

/** What a transaction is made of: its connection, and TypeORM on top of it. */
export interface TransactionSource {
  query(sql: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  makeRunner(): QueryRunner;
  metadataOf(entity: EntityTarget<ObjectLiteral>): EntityMetadata;
}

/**
 * An open transaction of one company: row-level security shows it that company's rows and no other.
 * Services open one by `Database.transaction` and pass it on, openly, as the first argument.
 */
export class Transaction {
  private readonly committed: (() => void)[] = [];
  private readonly atEnd: { sql: string; values: unknown[] }[] = [];
  private runner: QueryRunner | null = null;

  constructor(
    readonly companyId: string,
    private readonly source: TransactionSource,
  ) {}

  /** TypeORM's, made when it is first asked for: most transactions do without. */
  get manager(): EntityManager {
    this.runner ??= this.source.makeRunner();
    return this.runner.manager;
  }

  repository<E extends ObjectLiteral>(entity: EntityTarget<E>): Repository<E> {
    return this.manager.getRepository(entity);
  }

  /** Runs one statement and gives its rows, for SELECT and for RETURNING alike. */
  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.source.query(sql, values);
    return rows as Row[];
  }

  /**
   * The rows of an entity of which `condition`, in SQL, holds: `tx.select(Message, 'company_id = $1 AND id = $2', …)`.
   * TypeORM's finders build statement and objects anew each time, which costs several times as much: this is for what
   * every turn reads.
   */
  select<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    condition: string,
    values: unknown[],
  ): Promise<E[]> {
    return this.query(`${selectionOf(this.source.metadataOf(entity))} WHERE ${condition}`, values);
  }

  /** The first of them; null when there is none. */
  async selectOne<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    condition: string,
    values: unknown[],
  ): Promise<E | null> {
    const [row] = await this.select(entity, `${condition} LIMIT 1`, values);
    return row ?? null;
  }

  /**
   * Sends one statement right ahead of COMMIT, whose failure is the transaction's: for a row that other transactions
   * wait for, such as a counter's, which is held from its change to the end. An error where a transaction only reads.
   */
  last(sql: string, values: unknown[]): void {
    this.atEnd.push({ sql, values });
  }

  /** Has `callback` run once the transaction is committed, and never if it is not. It must not throw. */
  afterCommit(callback: () => void): void {
    this.committed.push(callback);
  }

  /** For `Database`, which sends COMMIT right behind. */
  async runLast(): Promise<void> {
    await together(this.atEnd.splice(0).map(({ sql, values }) => this.query(sql, values)));
  }

  /** For `Database`, when the work is done and, unless it only read, committed. */
  runAfterCommit(): void {
    if (this.atEnd.length > 0)
      throw new Error('A transaction that reads has no end to keep a statement for.');
    for (const callback of this.committed) callback();
  }
}

const selections = new WeakMap<EntityMetadata, string>();

/** Every column under the name of its property. */
const selectionOf = (metadata: EntityMetadata): string => {
  let selection = selections.get(metadata);
  if (selection === undefined) {
    const columns = metadata.columns.map(
      ({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`,
    );
    selection = `SELECT ${columns.join(', ')} FROM "${metadata.tableName}"`;
    selections.set(metadata, selection);
  }
  return selection;
};
