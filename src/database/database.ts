import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

import { DomainError } from '../common/errors/domain-error.js';
import { isId } from '../common/ids.js';
import { Semaphore } from '../common/semaphore.js';
import { isConnectionFailure, REFUSE_READ_ONLY, sqlStateOf } from './connection-failure.js';
import { COMPANY_SETTING, SYSTEM_ROLE, TENANT_ROLE } from './schema/roles.js';
import { StatementNames } from './connection/statement-names.js';
import { together } from './together.js';
import { TransactionConnection } from './connection/transaction-connection.js';
import { TransactionRunner } from './connection/transaction-runner.js';
import { Transaction, type TransactionSource } from './transaction.js';

/** No company: what the installation's own transactions carry in place of a company's id. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * A process that stands still in a transaction, as a paused one does, must not keep its rows from the others for as
 * long as a lease.
 */
const IDLE_TIMEOUT_MS = 5_000;

/** As long as a new connection may take. */
const MAX_WAIT_MS = 10_000;

type Work<T> = (tx: Transaction) => Promise<T>;

/** The one way to the database. Transactions are short: nothing is awaited in them but the database itself. */
export class Database {
  private readonly ordinary: Semaphore;
  private readonly names = new StatementNames();

  constructor(
    readonly dataSource: DataSource,
    /** True for the database inside this process: one connection, no other replica. */
    readonly embedded: boolean,
    poolSize: number,
  ) {
    const places = embedded ? Number.POSITIVE_INFINITY : Math.max(1, poolSize - 1);
    this.ordinary = new Semaphore(places, MAX_WAIT_MS, () => unavailable());
  }

  /** How the pool stands. `waiting`: for a connection, or for their turn to get one. */
  get connections(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.dataSource.driver as PostgresDriver)
      .master as pg.Pool;
    return {
      used: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount + this.ordinary.waitingCount,
    };
  }

  /** Runs `work` in one transaction that sees and writes the rows of `companyId` only. */
  transaction<T>(companyId: string, work: Work<T>): Promise<T> {
    // The id goes into a statement that takes no parameters, so it is checked here whoever checked it before.
    if (!isId(companyId)) throw new Error('A transaction needs a company id.');
    return this.ordinary.run(() => this.run(TENANT_ROLE, companyId, work));
  }

  /** The same for `work` that only reads: what it gives is there before the transaction has ended. */
  read<T>(companyId: string, work: Work<T>): Promise<T> {
    if (!isId(companyId)) throw new Error('A transaction needs a company id.');
    return this.ordinary.run(() => this.run(TENANT_ROLE, companyId, work, carryOutReading));
  }

  /**
   * The same for work that puts off all its statements before it waits for the answer to any: they share one round trip
   * with the end of the transaction. A statement that comes later is refused.
   */
  readAtOnce<T>(companyId: string, work: Work<T>): Promise<T> {
    if (!isId(companyId)) throw new Error('A transaction needs a company id.');
    return this.ordinary.run(() => this.run(TENANT_ROLE, companyId, work, carryOutReadingAtOnce));
  }

  /**
   * Runs `work` for the installation: it sees what the policies of the system role show, and no company. `ahead` is
   * for the few that hold up everything else when they wait: one connection of the pool is kept free for them.
   * `atOnce`: as of `readAtOnce`; what fails after that does not undo what was stored.
   */
  systemTransaction<T>(work: Work<T>, { ahead = false, atOnce = false } = {}): Promise<T> {
    const carryOut = atOnce ? carryOutWritingAtOnce : carryOutWriting;
    const run = (): Promise<T> => this.run(SYSTEM_ROLE, NO_COMPANY, work, carryOut);
    return ahead ? run() : this.ordinary.run(run);
  }

  /** Rejects with UNAVAILABLE while the database is away or takes no writes. */
  async check(): Promise<void> {
    await this.systemTransaction((tx) => tx.query(REFUSE_READ_ONLY), { ahead: true });
  }

  private async run<T>(
    role: string,
    companyId: string,
    work: Work<T>,
    carryOut = carryOutWriting,
  ): Promise<T> {
    const client = await this.takeClient();
    try {
      const connection = new TransactionConnection(client, opening(role, companyId), (text) =>
        this.names.nameOf(role, text),
      );
      const tx = new Transaction(companyId, this.sourceOf(connection));
      const result = await carryOut(
        connection,
        () => work(tx),
        () => tx.runLast(),
      );
      tx.runAfterCommit();
      return result;
    } catch (error) {
      throw isConnectionFailure(error) ? unavailable(error) : error;
    }
  }

  private sourceOf(connection: TransactionConnection): TransactionSource {
    return {
      query: (sql, values) => connection.query(sql, values),
      makeRunner: () => new TransactionRunner(this.dataSource.driver as PostgresDriver, connection),
      metadataOf: (entity) => this.dataSource.getMetadata(entity),
    };
  }

  private async takeClient(): Promise<pg.PoolClient> {
    try {
      const [client] = await (this.dataSource.driver as PostgresDriver).obtainMasterConnection();
      return client as pg.PoolClient;
    } catch (error) {
      // The server has let this process in before. Whatever it says now, such as that the database is being restored or
      // the password changed, is about the way in and about no statement.
      throw isConnectionFailure(error) || sqlStateOf(error) !== null ? unavailable(error) : error;
    }
  }
}

/** The company comes last: where it is set, all the rest is, which the first statements look at. */
const opening = (role: string, companyId: string): string =>
  `BEGIN; SET LOCAL ROLE ${role};
   SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS};
   SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS};
   SET LOCAL ${COMPANY_SETTING} = '${companyId}'`;

/** `last`: sends what is to be sent right ahead of the end, and waits for it. */
type CarryOut = <T>(
  connection: TransactionConnection,
  work: () => Promise<T>,
  last: () => Promise<void>,
) => Promise<T>;

const carryOutWriting: CarryOut = (connection, work, last) =>
  released(connection, async () => {
    const result = await work();
    await together([last(), connection.commit()]);
    return result;
  });

const carryOutWritingAtOnce: CarryOut = (connection, work, last) =>
  released(connection, async () => {
    const working = work();
    await connection.putOff(working);
    const [result] = await together([working, last(), connection.commit()]);
    return result;
  });

/** Gives the connection back, what has failed before its COMMIT rolled back. */
const released = async <T>(connection: TransactionConnection, write: () => Promise<T>): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    await connection.rollBack();
    throw error;
  } finally {
    connection.release();
  }
};

/** What was read is true whatever becomes of the transaction's end, so nobody waits for it. */
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
    await connection.putOff(working);
  } finally {
    void connection.rollBack().finally(() => connection.release());
  }
  return working;
};

const unavailable = (cause?: unknown): DomainError =>
  new DomainError(
    'UNAVAILABLE',
    'The database cannot be reached just now. Please try again.',
    {},
    cause === undefined ? undefined : { cause },
  );
