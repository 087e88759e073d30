import type {
  EntityManager,
  EntityMetadata,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
  Repository,
} from 'typeorm';

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
  query(sql: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>;
  /** For a statement of at most one row, which may be joined with others. */
  one(sql: string, values: unknown[]): Promise<Record<string, unknown> | null>;
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

  /** Whether a statement has found or changed any row. */
  async any(sql: string, values: unknown[]): Promise<boolean> {
    const { rowCount } = await this.source.query(sql, values);
    return rowCount !== null && rowCount > 0;
  }

  /** The column `id` of a statement's rows. */
  async ids(sql: string, values: unknown[]): Promise<string[]> {
    return (await this.query<{ id: string }>(sql, values)).map(({ id }) => id);
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
  selectOne<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    condition: string,
    values: unknown[],
  ): Promise<E | null> {
    const selection = selectionOf(this.source.metadataOf(entity));
    return this.one<E>(`${selection} WHERE ${condition} LIMIT 1`, values);
  }

  /** The company's rows that have the values of `key`; `end` may order them. */
  list<E extends ObjectLiteral>(entity: EntityTarget<E>, key: RowKey<E>, end = ''): Promise<E[]> {
    const { sql, values } = conditionOf(this.source.metadataOf(entity), this.owned(entity, key));
    return this.select(entity, `${sql} ${end}`, values);
  }

  /** The first of them. */
  find<E extends ObjectLiteral>(entity: EntityTarget<E>, key: RowKey<E>, end = ''): Promise<E | null> {
    const { sql, values } = conditionOf(this.source.metadataOf(entity), this.owned(entity, key));
    return this.selectOne(entity, `${sql} ${end}`, values);
  }

  /** The first of them, locked until the transaction ends. */
  async lock<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    key: RowKey<E>,
    how: 'FOR NO KEY UPDATE' | 'FOR UPDATE' | 'FOR KEY SHARE' = 'FOR NO KEY UPDATE',
  ): Promise<E | null> {
    const [row] = await this.list(entity, key, how);
    return row ?? null;
  }

  /** Rows with ids after `after`, in order of id. */
  listAfter<E extends { id: string }>(
    entity: EntityTarget<E>,
    key: RowKey<E>,
    after: string | null,
    limit: number,
  ): Promise<E[]> {
    const { sql, values } = conditionOf(this.source.metadataOf(entity), this.owned(entity, key));
    const place = values.length + 1;
    const condition = `${sql} AND ($${place}::uuid IS NULL OR id > $${place}) ORDER BY id LIMIT $${place + 1}`;
    return this.select(entity, condition, [...values, after, limit]);
  }

  /** Inserts a row. False: `end`, such as `ON CONFLICT DO NOTHING`, prevented it. */
  insert<E extends ObjectLiteral>(entity: EntityTarget<E>, row: RowPart<E>, end = ''): Promise<boolean> {
    return this.carryOut(insertion(this.source.metadataOf(entity), this.owned(entity, row), end));
  }

  /** Inserts a row, or updates that of its primary key. `also`: more assignments, such as `seen_at = now()`. */
  async put<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    row: RowPart<E>,
    ...also: string[]
  ): Promise<void> {
    await this.carryOut(replacement(this.source.metadataOf(entity), this.owned(entity, row), also));
  }

  /** Inserts rows with the same columns, by one statement. */
  async insertAll<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    rows: readonly RowPart<E>[],
    end = '',
  ): Promise<void> {
    if (rows.length === 0) return;
    const owned = rows.map((row) => this.owned(entity, row));
    await this.carryOut(insertions(this.source.metadataOf(entity), owned, end));
  }

  /** Updates the company's rows with the values of `key`. False: none. */
  update<E extends ObjectLiteral>(
    entity: EntityTarget<E>,
    key: RowKey<E>,
    changes: RowPart<E>,
  ): Promise<boolean> {
    return this.carryOut(change(this.source.metadataOf(entity), this.owned(entity, key), changes));
  }

  /** Deletes the company's rows with the values of `key`. False: none. */
  delete<E extends ObjectLiteral>(entity: EntityTarget<E>, key: RowKey<E>): Promise<boolean> {
    return this.carryOut(deletion(this.source.metadataOf(entity), this.owned(entity, key)));
  }

  private carryOut({ sql, values }: { sql: string; values: unknown[] }): Promise<boolean> {
    return this.any(sql, values);
  }

  private owned<E extends ObjectLiteral>(entity: EntityTarget<E>, part: object): object {
    const isOfCompany = this.source.metadataOf(entity).findColumnWithPropertyName('companyId');
    return isOfCompany ? { companyId: this.companyId, ...part } : part;
  }

  /**
   * The row of a statement with at most one row and without locks. Statements requested before any answer is awaited
   * are sent as one. Statements by `query` keep their place among them.
   */
  one<Row>(sql: string, values: unknown[]): Promise<Row | null> {
    return this.source.one(sql, values) as Promise<Row | null>;
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

/**
 * Waits for all statements that a transaction sent together. Rejects with the first error in the order given: later
 * statements fail because of it.
 */
export async function awaitAll<Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  for (const outcome of await Promise.allSettled(works)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return Promise.all(works);
}

interface Statement {
  sql: string;
  values: unknown[];
}

type Stored<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** Some columns of a row, by the names of the entity's properties. */
export type RowPart<E> = { readonly [Name in keyof E]?: Stored<E[Name]> };

/** The keys of rows: values of columns, or lists of allowed values. */
export type RowKey<E> = { readonly [Name in keyof E]?: E[Name] | readonly E[Name][] };

/** Throws for a property that is not a column. */
function cellsOf(
  metadata: EntityMetadata,
  part: object,
): { column: string; type: string; isList: boolean; value: unknown }[] {
  return Object.entries(part).map(([name, value]: [string, unknown]) => {
    const column = metadata.findColumnWithPropertyName(name);
    if (!column) throw new Error(`${metadata.tableName} has no column for ${name}.`);
    const type = String(column.type);
    const isJson = type === 'jsonb' && value !== null;
    return {
      column: `"${column.databaseName}"`,
      type,
      isList: Array.isArray(value) && !column.isArray && !isJson,
      value: isJson ? JSON.stringify(value) : value,
    };
  });
}

/** The name in SQL of a name in TypeScript. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** The values under the names of their columns. */
export function asColumns(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [snakeCase(name), value]));
}

/** `end`: what follows the values, such as ON CONFLICT. */
export function insertion(metadata: EntityMetadata, row: object, end: string): Statement {
  const cells = cellsOf(metadata, row);
  const columns = cells.map(({ column }) => column).join(', ');
  const places = cells.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: `INSERT INTO "${metadata.tableName}" (${columns}) VALUES (${places}) ${end}`,
    values: cells.map(({ value }) => value),
  };
}

/** Inserts the row, or updates the one with its primary key by these values and the assignments in `also`. */
export function replacement(metadata: EntityMetadata, row: object, also: readonly string[]): Statement {
  const keys = metadata.primaryColumns.map(({ databaseName }) => `"${databaseName}"`);
  const changed = cellsOf(metadata, row).filter(({ column }) => !keys.includes(column));
  const assignments = [...changed.map(({ column }) => `${column} = excluded.${column}`), ...also];
  return insertion(metadata, row, `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`);
}

/** One statement for all rows, which have the same columns, none of them a list. */
export function insertions(metadata: EntityMetadata, rows: readonly object[], end: string): Statement {
  const [first = {}] = rows;
  const cells = cellsOf(metadata, first);
  const columns = cells.map(({ column }) => column).join(', ');
  const lists = cells.map(({ type }, index) => `$${index + 1}::${type}[]`).join(', ');
  return {
    sql: `INSERT INTO "${metadata.tableName}" (${columns}) SELECT * FROM unnest(${lists}) ${end}`,
    values: Object.keys(first).map((name) =>
      rows.map((row) => cellsOf(metadata, { [name]: row[name as keyof typeof row] })[0]?.value),
    ),
  };
}

export function change(metadata: EntityMetadata, key: object, changes: object): Statement {
  const { sql, values } = conditionOf(metadata, key);
  const cells = cellsOf(metadata, changes);
  const assignments = cells.map(({ column }, index) => `${column} = $${values.length + index + 1}`);
  return {
    sql: `UPDATE "${metadata.tableName}" SET ${assignments.join(', ')} WHERE ${sql}`,
    values: [...values, ...cells.map(({ value }) => value)],
  };
}

export function deletion(metadata: EntityMetadata, key: object): Statement {
  const { sql, values } = conditionOf(metadata, key);
  return { sql: `DELETE FROM "${metadata.tableName}" WHERE ${sql}`, values };
}

/**
 * The condition after WHERE. Null is compared by IS NULL, a list by ANY. PostgreSQL stores no NUL, and refuses to
 * look for one.
 */
export function conditionOf(metadata: EntityMetadata, key: object): Statement {
  const values: unknown[] = [];
  const terms = cellsOf(metadata, key).map(({ column, isList, value }) => {
    if (value === null) return `${column} IS NULL`;
    if (typeof value === 'string' && value.includes('\0')) return 'false';
    values.push(value);
    return isList ? `${column} = ANY ($${values.length})` : `${column} = $${values.length}`;
  });
  return { sql: terms.join(' AND '), values };
}
