import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

import type { TransactionConnection } from './transaction-connection.js';

/** TypeORM's runner inside a transaction that is open already: it neither begins nor ends one, savepoints excepted. */
export class TransactionRunner extends PostgresQueryRunner {
  constructor(driver: PostgresDriver, connection: TransactionConnection) {
    super(driver, 'master');
    this.databaseConnection = connection;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
    this.manager = driver.dataSource.createEntityManager(this);
  }
}
