import { sqlStateOf } from './connection-failure.js';

const DEADLOCK = '40P01';
const MAX_TRIES = 3;

/**
 * Repeats a transaction that PostgreSQL cancelled because of a deadlock. For transactions that lock several rows which
 * others lock in another order.
 */
export async function retryOnDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (sqlStateOf(error) !== DEADLOCK || tries === MAX_TRIES) throw error;
    }
  }
}
