import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

import { awaitAll, COMPANY_SETTING } from './transaction.js';
import { REFUSE_READ_ONLY, isReadOnlyFailure, PROMPT_MS, setDeadline } from './connection-failure.js';

/** How many statements a connection keeps prepared: the most recently used. */
const MAX_PREPARED = 500;

/**
 * Names of prepared statements, by connection. Planning is most of the cost of a short statement. No name is used twice:
 * the server may not have dropped an evicted one yet.
 */
export class StatementNames {
  private readonly byConnection = new WeakMap<object, ConnectionNames>();
  private created = 0;

  constructor(private readonly max = MAX_PREPARED) {}

  of(connection: object): ConnectionNames {
    const known = this.byConnection.get(connection);
    if (known) return known;
    // The counter is shared, because all connections to the embedded database are one session.
    const names = new ConnectionNames(this.max, () => `palabre_${this.created++}`);
    this.byConnection.set(connection, names);
    return names;
  }
}

/**
 * The names of the statements that one connection keeps prepared. They differ by role: under row-level security a plan
 * depends on the role, and a change of role would make PostgreSQL plan again.
 */
class ConnectionNames {
  private readonly names: LRUCache<string, string>;
  private evicted: string[] = [];

  constructor(
    max: number,
    private readonly newName: () => string,
  ) {
    this.names = new LRUCache({ max, dispose: (name) => this.evicted.push(name) });
  }

  /** The name for a statement that `role` runs. */
  nameOf(role: string, text: string): string {
    const key = `${role} ${text}`;
    const name = this.names.get(key) ?? this.newName();
    this.names.set(key, name);
    return name;
  }

  /** The names that were evicted since the last call. The server can drop their statements. */
  takeEvicted(): string[] {
    return this.evicted.splice(0);
  }
}

const GUARD = 'palabre_guard';

/**
 * Settings for which servers, databases and roles may have other defaults. Dates are parsed as ISO; concurrent
 * transactions wait for each other instead of failing; and `public`, which holds the tables, comes first in the search
 * path, whatever else it has, such as a schema for extensions.
 */
const SESSION_SETTINGS = `SET datestyle = 'ISO';
    SET intervalstyle = 'postgres';
    SET default_transaction_isolation = 'read committed';
    SELECT set_config('search_path', concat_ws(', ', 'public', nullif(current_setting('search_path'), '')), false)`;

/**
 * Prepares a new connection of the pool, also for `guardedQuery`. Rejects when the server is read-only: after a failover
 * an address leads to the old primary for a while, and a pooled connection would stay there.
 */
export async function prepareConnection(client: pg.ClientBase): Promise<void> {
  // The guard fails unless the setting is a company's id, which it is only within an open transaction.
  await client.query(`${REFUSE_READ_ONLY};
    ${SESSION_SETTINGS};
    PREPARE ${GUARD} AS SELECT WHERE current_setting('${COMPANY_SETTING}')::uuid IS NULL`);
}

interface Statement {
  text: string;
  values?: unknown[];
  name?: string;
  rowMode?: 'array';
}

/**
 * Sends a statement after an opening (BEGIN, role, company) whose answer has not arrived yet. If the opening failed, the
 * server would run the statement on its own and under the login role. So a guard is sent before it: after a failure the
 * server skips everything up to the next Sync
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
function guardedQuery(
  client: pg.ClientBase,
  { text, values = [], ...options }: Statement,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const isPlain = values.length === 0;
    // Without values both are one simple query, which stops at the first statement that fails.
    const statement = isPlain ? { text: `EXECUTE ${GUARD}; ${text}` } : { text, values, ...options };
    const query = new pg.Query(statement, undefined, (error, results) => {
      if (error) reject(error);
      else resolve(withoutGuard(results));
    });
    if (!isPlain) sendGuardBefore(query);
    client.query(query);
  });
}

/** Sends the guard's messages before those of `query`, without a Sync between them. */
function sendGuardBefore(query: pg.Query): void {
  const submit = query.submit;
  query.submit = (connection) => {
    connection.stream.cork();
    try {
      connection.bind({ statement: GUARD }, true);
      connection.execute({}, true);
      return submit.call(query, connection);
    } finally {
      connection.stream.uncork();
    }
  };
}

/** pg gives the results of several statements as an array, which its types do not know. */
function withoutGuard(results: unknown): pg.QueryResult {
  const [, ...own] = results as pg.QueryResult[];
  return (own.length === 1 ? own[0] : own) as pg.QueryResult;
}

declare module 'pg' {
  interface Connection {
    /** The texts of prepared statements, by name. */
    readonly parsedStatements: Record<string, string>;
  }
}

/** The name of a prepared statement, and the names that the server can drop. */
interface StatementName {
  name: string;
  evicted: readonly string[];
}

/**
 * A connection for one transaction, used in place of the connection itself. It lets no statement run before the
 * transaction is open or after it has ended.
 *
 * Nobody waits for the opening. On a pipelined connection the first statements are sent right after it, and fail if it
 * fails. On any other, each statement is sent when the one before it is answered.
 */
export class TransactionConnection {
  private readonly opened: Promise<unknown>;
  private readonly reads = new JoinedReads((text, values, rowMode) => this.run(text, values, rowMode));
  private isOpen = false;
  private isOver = false;
  private isReadOnly = false;
  /** Settles when all statements so far are answered. For connections that take one at a time. */
  private queue: Promise<unknown>;

  /**
   * Begins a transaction on `client` with `opening`, a text of several statements that begins with BEGIN. `nameOf` names
   * statements with values, to keep them prepared; null: not prepared. A connection without an answer for `deadlineMs` is
   * closed; null: it never is.
   */
  constructor(
    private readonly client: pg.PoolClient,
    opening: string,
    private readonly nameOf: (text: string) => StatementName | null,
    private readonly deadlineMs: number | null,
  ) {
    // Without a listener, a broken connection would end the process. Running statements reject anyway.
    client.on('error', ignore);
    if (client.pipeline) sendTogether(client);
    this.opened = this.open(opening);
    this.queue = this.opened.catch(ignore);
  }

  private async open(opening: string): Promise<void> {
    if (this.deadlineMs !== null) setDeadline(this.client, Math.min(PROMPT_MS, this.deadlineMs));
    await this.client.query(opening);
    this.isOpen = true;
    if (this.deadlineMs !== null) setDeadline(this.client, this.deadlineMs);
  }

  /** Statements that are sent together share a round trip. After one fails, the later ones fail too. */
  query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    this.reads.flush();
    return this.run(text, values);
  }

  /** A statement of at most one row, without locks. Those requested before any answer is awaited are sent as one. */
  one(text: string, values: unknown[]): Promise<Record<string, unknown> | null> {
    return this.reads.add(text, values);
  }

  private run(text: string, values: unknown[], rowMode?: 'array'): Promise<pg.QueryResult> {
    const answer = this.send(text, values, rowMode);
    answer.catch((error: unknown) => (this.isReadOnly ||= isReadOnlyFailure(error)));
    return answer;
  }

  private async send(text: string, values: unknown[], rowMode?: 'array'): Promise<pg.QueryResult> {
    if (this.isOver) throw new Error('A statement came after the end of its transaction.');
    // A text without values may hold several statements, which cannot be prepared.
    const named = values.length > 0 ? this.nameOf(text) : null;
    const statement = { text, values, ...(named && { name: named.name }), ...(rowMode && { rowMode }) };
    const evicted = named?.evicted ?? [];
    if (!this.client.pipeline) return this.sendQueued(statement, evicted);
    dropPrepared(this.client, evicted);
    if (this.isOpen) return this.client.query(statement);
    try {
      return await guardedQuery(this.client, statement);
    } catch (error) {
      // When the opening failed, its error is the cause.
      await this.opened;
      throw error;
    }
  }

  /**
   * Resolves when `working` needs an answer to continue. Its statements are held back until then, so that the end of the
   * transaction can be sent together with them. Rejects when it has failed by then.
   */
  async collectStatements(working: Promise<unknown>): Promise<void> {
    const tickOver = new Promise((resolve) => process.nextTick(resolve));
    if (!this.client.pipeline) return void (await Promise.race([working, tickOver]));
    const { stream } = this.client.connection;
    stream.cork();
    try {
      await Promise.race([working, tickOver]);
    } finally {
      sendTogether(this.client);
      stream.uncork();
    }
  }

  /**
   * `last` sends statements that go out together with COMMIT. Rejects when the opening or any statement failed, even if
   * its error was caught: nothing is stored then.
   */
  async commit(last?: () => Promise<void>): Promise<void> {
    if (this.client.pipeline) sendTogether(this.client);
    const [, , { command }] = await awaitAll([this.opened, last?.(), this.end('COMMIT')]);
    if (command !== 'COMMIT')
      throw new Error('A statement of the transaction had failed, so nothing of it is stored.');
  }

  /** Does nothing after a COMMIT, even a failed one. */
  async rollBack(): Promise<void> {
    if (this.isOver) return;
    // A lost connection has rolled back by itself, and the caller has an error already.
    await this.end('ROLLBACK').catch(ignore);
  }

  /**
   * Gives the connection back to the pool. It is closed if the transaction may still be open, or the server is read-only:
   * a new connection may reach the new primary.
   */
  release(): void {
    this.client.release(this.isReadOnly || this.client.getTransactionStatus() !== 'I');
    this.client.removeListener('error', ignore);
  }

  private sendQueued(statement: Statement, evicted: readonly string[]): Promise<pg.QueryResult> {
    const answer = this.queue
      .then(() => this.opened)
      .then(() => {
        dropPrepared(this.client, evicted);
        return this.client.query(statement);
      });
    this.queue = answer.catch(ignore);
    return answer;
  }

  private async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
    this.isOver = true;
    if (!this.client.pipeline) await this.queue;
    return this.client.query(statement);
  }
}

/**
 * Has the server drop prepared statements. The messages go out with the next statement, whose Sync covers them.
 * Unlike DEALLOCATE, this is not an error when there is no such statement, as after a failed PREPARE.
 */
function dropPrepared({ connection }: pg.PoolClient, names: readonly string[]): void {
  for (const name of names) {
    connection.close({ type: 'S', name }, true);
    delete connection.parsedStatements[name];
  }
}

function ignore(): void {
  return undefined;
}

/** Holds back writes until the next tick, so that they are sent together. */
function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** TypeORM's query runner within an open transaction. It neither begins nor ends one, but may make savepoints. */
export class TransactionRunner extends PostgresQueryRunner {
  constructor(driver: PostgresDriver, connection: TransactionConnection) {
    super(driver, 'master');
    this.databaseConnection = connection;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    this.manager = driver.dataSource.createEntityManager(this);
  }
}

type Row = Record<string, unknown>;
type Send = (
  text: string,
  values: unknown[],
  rowMode?: 'array',
) => Promise<Pick<pg.QueryResult, 'rows' | 'fields'>>;

interface Read {
  text: string;
  values: unknown[];
  resolve(row: Row | null): void;
  reject(reason: unknown): void;
}

/** The column that comes before those of each read. */
const MARK = '|';

/**
 * Joins reads of at most one row each that are requested before any answer is awaited. One statement costs the server
 * and this process less than several, even in one round trip.
 */
export class JoinedReads {
  private reads: Read[] = [];

  constructor(private readonly send: Send) {}

  /** Resolves to null when there is no row. */
  add(text: string, values: unknown[]): Promise<Row | null> {
    return new Promise((resolve, reject) => {
      if (this.reads.length === 0) queueMicrotask(() => this.flush());
      this.reads.push({ text, values, resolve, reject });
    });
  }

  /** Sends the collected reads. Call it before any other statement is sent, so that the order is kept. */
  flush(): void {
    const { reads } = this;
    this.reads = [];
    if (reads.length > 0) void this.carryOut(reads);
  }

  private async carryOut(reads: readonly Read[]): Promise<void> {
    try {
      const rows = await this.rowsOf(reads);
      for (const [index, { resolve }] of reads.entries()) resolve(rows[index] ?? null);
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  private async rowsOf(reads: readonly Read[]): Promise<(Row | null)[]> {
    const [only, ...others] = reads;
    if (only && others.length === 0) {
      const { rows } = await this.send(only.text, only.values);
      return rows as Row[];
    }
    const { rows, fields } = await this.send(
      joined(reads),
      reads.flatMap(({ values }) => values),
      'array',
    );
    return split(fields, (rows as unknown[][])[0] ?? []);
  }
}

function joined(reads: readonly Read[]): string {
  let before = 0;
  const parts = reads.map(({ text, values }, index) => {
    const shift = before;
    before += values.length;
    const shifted = text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
    return `LEFT JOIN (SELECT true AS "${MARK}", read.* FROM (${shifted}) AS read) AS read_${index} ON true`;
  });
  return `SELECT * FROM (SELECT) AS one ${parts.join(' ')}`;
}

/** The rows of the reads, from the joined one. */
function split(fields: readonly Pick<pg.FieldDef, 'name'>[], values: readonly unknown[]): (Row | null)[] {
  const rows: (Row | null)[] = [];
  for (const [index, { name }] of fields.entries()) {
    const row = rows.at(-1);
    if (name === MARK) rows.push(values[index] === true ? {} : null);
    else if (row) row[name] = values[index];
  }
  return rows;
}
