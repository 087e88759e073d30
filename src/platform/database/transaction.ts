import type {
  EntityManager,
  EntityMetadata,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
  Repository,
} from 'typeorm';

import { awaitAll } from './await-all.js';

/** The role of companies' statements. It cannot log in and cannot bypass row-level security. */
export const TENANT_ROLE = 'palabre_app';

/**
 * The role of the installation's own statements (which company a token names, which turns have no owner). It has few
 * policies, each on one table, and cannot bypass row-level security either.
 */
export const SYSTEM_ROLE = 'palabre_system';

/** The transaction-local setting that row-level security compares `company_id` with. */
export const COMPANY_SETTING = 'palabre.company_id';

/** What a transaction needs of its connection and of TypeORM. */
export interface TransactionSource {
  query(sql: string, values: unknown[]): Promise<{ rows: unknown[] }>;
  makeRunner(): QueryRunner;
  metadataOf(entity: EntityTarget<ObjectLiteral>): EntityMetadata;
}

/**
 * An open transaction of one company: row-level security shows it the rows of that company only. Services open it by
 * `Database.transaction` and pass it on as the first argument.
 */
export class Transaction {
  private readonly committed: (() => void)[] = [];
  private readonly atEnd: { sql: string; values: unknown[] }[] = [];
  private runner: QueryRunner | null = null;

  constructor(
    readonly companyId: string,
    private readonly source: TransactionSource,
  ) {}

  /** TypeORM's manager, created on first use: most transactions do not need it. */
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
   * The rows of an entity that match an SQL condition: `tx.select(Message, 'company_id = $1 AND id = $2', …)`. Several
   * times as fast as TypeORM's finders, which build the statement and the objects each time.
   */
  select<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    condition: string,
    values: unknown[],
  ): Promise<E[]> {
    return this.query(`${selectionOf(this.source.metadataOf(entity))} WHERE ${condition}`, values);
  }

  /** The first row that matches. */
  async selectOne<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    condition: string,
    values: unknown[],
  ): Promise<E | null> {
    const [row] = await this.select(entity, `${condition} LIMIT 1`, values);
    return row ?? null;
  }

  /**
   * Sends a statement right before COMMIT. For a row that many transactions change, such as a counter: its lock is then
   * held as briefly as possible. If it fails, the transaction fails. Throws in a transaction that only reads.
   */
  last(sql: string, values: unknown[]): void {
    this.atEnd.push({ sql, values });
  }

  /** Runs `callback` after the commit, and never without one. It must not throw. */
  afterCommit(callback: () => void): void {
    this.committed.push(callback);
  }

  /** For `Database`, which sends COMMIT right after it. */
  async runLast(): Promise<void> {
    await awaitAll(this.atEnd.splice(0).map(({ sql, values }) => this.query(sql, values)));
  }

  /** For `Database`, after the commit, or after the work of a transaction that only reads. */
  runAfterCommit(): void {
    if (this.atEnd.length > 0)
      throw new Error('A transaction that reads has no end to keep a statement for.');
    for (const callback of this.committed) callback();
  }
}

const selections = new WeakMap<EntityMetadata, string>();

/** Selects every column under the name of its property, except those with `select: false`. */
function selectionOf(metadata: EntityMetadata): string {
  let selection = selections.get(metadata);
  if (selection === undefined) {
    const columns = metadata.columns
      .filter(({ isSelect }) => isSelect)
      .map(({ databaseName, propertyName }) => `"${databaseName}" AS "${propertyName}"`);
    selection = `SELECT ${columns.join(', ')} FROM "${metadata.tableName}"`;
    selections.set(metadata, selection);
  }
  return selection;
}
