import { type DataSource, type QueryRunner, QueryRunnerAlreadyReleasedError } from 'typeorm';

import { DomainError } from '../common/domain-error.js';
import { isId } from '../common/ids.js';
import { isConnectionFailure } from './connection-failure.js';
import { COMPANY_SETTING, SYSTEM_ROLE, TENANT_ROLE } from './roles.js';
import { Transaction } from './transaction.js';

/** No company: what the installation's own transactions carry in place of a company's id. */
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

const STATEMENT_TIMEOUT_MS = 30_000;

/** A process that stands still in a transaction, as a paused one does, must not keep its rows from the others. */
const IDLE_TIMEOUT_MS = 30_000;

/** The one way to the database. Transactions are short: nothing is awaited in them but the database itself. */
export class Database {
  constructor(
    readonly dataSource: DataSource,
    /** True for the database inside this process: one connection, no other replica. */
    readonly embedded: boolean,
  ) {}

  /** Runs `work` in one transaction that sees and writes the rows of `companyId` only. */
  transaction<T>(companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    // The id goes into a statement that takes no parameters, so it is checked here whoever checked it before.
    if (!isId(companyId)) throw new Error('A transaction needs a company id.');
    return this.run(TENANT_ROLE, companyId, work);
  }

  /** Runs `work` for the installation: it sees what the policies of the system role show, and no company. */
  systemTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.run(SYSTEM_ROLE, NO_COMPANY, work);
  }

  private async run<T>(role: string, companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(
        `SET LOCAL ROLE ${role}; SET LOCAL ${COMPANY_SETTING} = '${companyId}';
         SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS};
         SET LOCAL idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
      );
      const tx = new Transaction(companyId, runner);
      const result = await work(tx);
      await runner.commitTransaction();
      tx.runAfterCommit();
      return result;
    } catch (error) {
      await rollBack(runner);
      return rethrow(error);
    } finally {
      await runner.release();
    }
  }
}

const rollBack = async (runner: QueryRunner): Promise<void> => {
  if (!runner.isTransactionActive) return;
  // A lost connection has rolled back by itself; the first error is the one to tell.
  await runner.rollbackTransaction().catch(() => undefined);
};

const rethrow = (error: unknown): never => {
  // TypeORM lets go of a connection that breaks between two statements; the second one finds none.
  const isLost = error instanceof QueryRunnerAlreadyReleasedError || isConnectionFailure(error);
  if (!isLost) throw error;
  throw new DomainError(
    'UNAVAILABLE',
    'The database cannot be reached just now. Please try again.',
    {},
    { cause: error },
  );
};
