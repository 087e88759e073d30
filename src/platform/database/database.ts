import { fairThread } from '@palabre/async';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { DomainError } from '../../common/errors/domain-error.js';
import { isId, NIL_ID } from '../../common/ids.js';
import type { Logger } from '../../common/process/logger.js';
import { FairPool } from './fair-pool.js';
import {
  CONNECT_TIMEOUT_MS,
  isConnectionFailure,
  REFUSE_READ_ONLY,
  sqlStateOf,
  PROMPT_MS,
} from './connection-failure.js';
import { StatementNames, TransactionConnection, TransactionRunner } from './transaction-connection.js';
import {
  awaitAll,
  COMPANY_SETTING,
  SYSTEM_ROLE,
  TENANT_ROLE,
  Transaction,
  type TransactionSource,
} from './transaction.js';

/** `timeoutMs` is the server's statement_timeout. After `deadlineMs` without an answer we close the connection. */
interface TimeLimits {
  timeoutMs: number;
  deadlineMs: number;
}

const ORDINARY: TimeLimits = { timeoutMs: 30_000, deadlineMs: 35_000 };

/** For statements that a turn waits for: they fail soon and are tried again. */
const PROMPT: TimeLimits = { timeoutMs: 3_000, deadlineMs: PROMPT_MS };

/** A process that is suspended in a transaction must release its row locks sooner than a lease ends. */
const IDLE_TIMEOUT_MS = 5_000;

/** The server cancelled a statement because of statement_timeout. */
const QUERY_CANCELED = '57014';

/** Estimated, for a slow processor: what a transaction and the work around it take of the thread. */
const TRANSACTION_MS = 0.3;

type Work<T> = (tx: Transaction) => Promise<T>;

interface Urgency {
  /**
   * For statements that turns wait for and that the caller retries: rejects with UNAVAILABLE when a statement takes longer
   * than a few seconds.
   */
  prompt?: boolean;
}

interface RunOptions {
  role: string;
  companyId: string;
  limits: TimeLimits;
  carryOut: CarryOut;
  ahead?: boolean;
}

/** The only access to the database. Transactions are short: work in them awaits nothing but the database. */
export class Database {
  private readonly names = new StatementNames();
  private readonly fairPool: FairPool;
  /** When the database was first found to be unavailable; null: it is available, as far as is known. */
  private awaySince: number | null = null;

  constructor(
    readonly dataSource: DataSource,
    /** Connections reserved for urgent work: see `systemTransaction`. Null: the embedded database, with one connection. */
    private readonly aheadPool: pg.Pool | null,
    private readonly logger: Logger | null,
  ) {
    this.fairPool = new FairPool(
      this.pool.options.max,
      this.embedded ? null : CONNECT_TIMEOUT_MS,
      async () => {
        const [client] = await (dataSource.driver as PostgresDriver).obtainMasterConnection();
        return client as pg.PoolClient;
      },
    );
  }

  /** True for the database inside this process: one connection, no other replica. */
  get embedded(): boolean {
    return this.aheadPool === null;
  }

  /** The state of the pools. `waiting` counts requests for a connection. */
  get connections(): { used: number; idle: number; waiting: number } {
    const state = { used: 0, idle: 0, waiting: this.fairPool.waitingCount };
    for (const { totalCount, idleCount, waitingCount } of this.aheadPool
      ? [this.pool, this.aheadPool]
      : [this.pool]) {
      state.used += totalCount - idleCount;
      state.idle += idleCount;
      state.waiting += waitingCount;
    }
    return state;
  }

  /** Runs `work` in one transaction that sees and writes the rows of `companyId` only. */
  transaction<T>(companyId: string, work: Work<T>, urgency: Urgency = {}): Promise<T> {
    return this.run({ ...ofCompany(companyId, urgency), carryOut: carryOutWriting }, work);
  }

  /** As `transaction`, for work that only reads: resolves without waiting for the end of the transaction. */
  read<T>(companyId: string, work: Work<T>): Promise<T> {
    return this.run({ ...ofCompany(companyId), carryOut: carryOutReading }, work);
  }

  /**
   * As `read`, for work that sends all its statements before it awaits any answer: they share one round trip with the end
   * of the transaction. A later statement is refused.
   */
  readAtOnce<T>(companyId: string, work: Work<T>): Promise<T> {
    return this.run({ ...ofCompany(companyId), carryOut: carryOutReadingAtOnce }, work);
  }

  /**
   * Runs `work` for the installation, with the policies of the system role and without a company. `ahead` is for the
   * few transactions that everything else waits for: they are `prompt` and use reserved connections. `atOnce` is for
   * work that sends all its statements first, as with `readAtOnce`; later failures do not undo stored data.
   */
  systemTransaction<T>(
    work: Work<T>,
    { ahead = false, atOnce = false, prompt = ahead }: Urgency & { ahead?: boolean; atOnce?: boolean } = {},
  ): Promise<T> {
    const carryOut = atOnce ? carryOutWritingAtOnce : carryOutWriting;
    const limits = prompt ? PROMPT : ORDINARY;
    return this.run({ role: SYSTEM_ROLE, companyId: NIL_ID, limits, carryOut, ahead }, work);
  }

  /** Rejects with UNAVAILABLE while the database cannot be reached or is read-only. */
  async check(): Promise<void> {
    await this.systemTransaction((tx) => tx.query(REFUSE_READ_ONLY), { ahead: true });
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as PostgresDriver).master as pg.Pool;
  }

  private async run<T>(options: RunOptions, work: Work<T>): Promise<T> {
    if (options.role === TENANT_ROLE) fairThread.charge(options.companyId, TRANSACTION_MS);
    const client = await this.takeClient(options);
    try {
      const result = await this.runOn(client, options, work);
      this.noteBack();
      return result;
    } catch (error) {
      if (isConnectionFailure(error)) throw this.away(error);
      const isLate = options.limits === PROMPT && sqlStateOf(error) === QUERY_CANCELED;
      throw isLate ? unavailable(error) : error;
    }
  }

  private async runOn<T>(
    client: pg.PoolClient,
    { role, companyId, limits, carryOut }: RunOptions,
    work: Work<T>,
  ): Promise<T> {
    const names = this.names.of(client);
    const connection = new TransactionConnection(
      client,
      opening(role, companyId, limits),
      (text) => ({ name: names.nameOf(role, text), evicted: names.takeEvicted() }),
      this.embedded ? null : limits.deadlineMs,
    );
    const tx = new Transaction(companyId, this.sourceOf(connection));
    const result = await carryOut(
      connection,
      () => work(tx),
      () => tx.runLast(),
    );
    tx.runAfterCommit();
    return result;
  }

  private sourceOf(connection: TransactionConnection): TransactionSource {
    return {
      query: (sql, values) => connection.query(sql, values),
      one: (sql, values) => connection.one(sql, values),
      makeRunner: () => new TransactionRunner(this.dataSource.driver as PostgresDriver, connection),
      metadataOf: (entity) => this.dataSource.getMetadata(entity),
    };
  }

  private async takeClient({ companyId, ahead = false }: RunOptions): Promise<pg.PoolClient> {
    try {
      if (ahead && this.aheadPool) return await this.aheadPool.connect();
      // The embedded database has one connection. What is urgent has a line of its own there.
      return await this.fairPool.take(ahead ? 'ahead' : companyId);
    } catch (error) {
      // It waited too long for a connection.
      if (error instanceof DomainError) throw error;
      // The server has accepted connections before. Any error of connecting now, such as during a restore or after a
      // change of password, means that the database is unavailable.
      throw isConnectionFailure(error) || sqlStateOf(error) !== null ? this.away(error) : error;
    }
  }

  /** Logged once, however many transactions fail. */
  private away(cause: unknown): DomainError {
    if (this.awaySince === null) {
      this.awaySince = performance.now();
      this.logger?.warn({ err: cause }, 'the database cannot be reached');
    }
    return unavailable(cause);
  }

  private noteBack(): void {
    if (this.awaySince === null) return;
    const awayForMs = Math.round(performance.now() - this.awaySince);
    this.awaySince = null;
    this.logger?.info({ awayForMs }, 'the database is back');
  }
}

function ofCompany(companyId: string, { prompt = false }: Urgency = {}): Omit<RunOptions, 'carryOut'> {
  // The id is put into a statement that takes no parameters, so it is always checked here.
  if (!isId(companyId)) throw new Error('A transaction needs a company id.');
  return { role: TENANT_ROLE, companyId, limits: prompt ? PROMPT : ORDINARY };
}

/** The company comes last: the guard of the first statements checks it, and once it is set the rest is too. */
function opening(role: string, companyId: string, { timeoutMs }: TimeLimits): string {
  return `BEGIN; SELECT set_config('role', '${role}', true), set_config('statement_timeout', '${timeoutMs}', true),
    set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT_MS}', true),
    set_config('${COMPANY_SETTING}', '${companyId}', true)`;
}

/** `last` sends the statements that must come right before COMMIT, and waits for them. */
type CarryOut = <T>(
  connection: TransactionConnection,
  work: () => Promise<T>,
  last: () => Promise<void>,
) => Promise<T>;

const carryOutWriting: CarryOut = (connection, work, last) =>
  released(connection, async () => {
    const result = await work();
    await connection.commit(last);
    return result;
  });

const carryOutWritingAtOnce: CarryOut = (connection, work, last) =>
  released(connection, async () => {
    const working = work();
    await connection.collectStatements(working);
    const [result] = await awaitAll([working, connection.commit(last)]);
    return result;
  });

/** Rolls back after a failure, and gives the connection back. */
async function released<T>(connection: TransactionConnection, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
}

/** What was read is valid however the transaction ends, so nobody waits for the end. */
const carryOutReading: CarryOut = async (connection, work) => {
  try {
    return await work();
  } finally {
    void connection.rollBack().finally(() => connection.release());
  }
};

const carryOutReadingAtOnce: CarryOut = async (connection, work) => {
  let working: ReturnType<typeof work>;
  try {
    working = work();
    await connection.collectStatements(working);
  } finally {
    void connection.rollBack().finally(() => connection.release());
  }
  return working;
};

function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The database cannot be reached just now. Please try again.',
    {},
    { cause },
  );
}
