import { retry } from '@palabre/async';

import { sqlStateOf } from './connection-failure.js';

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/**
 * Repeats a transaction that PostgreSQL cancelled because of a deadlock. For transactions that lock several rows which
 * others lock in another order.
 */
export function retryOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  return retry(transaction, (error, failures) =>
    sqlStateOf(error) === DEADLOCK && failures < MAX_TRIES ? 0 : null,
  );
}
