import { sqlStateOf } from './connection-failure.js';

const DEADLOCK = '40P01';
const MOST_TRIES = 3;

/**
 * Repeats a transaction that PostgreSQL has undone because it and another one waited for each other. For those that
 * hold several rows which others write in an order of their own.
 */
export const despiteDeadlock = async <T>(transaction: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (sqlStateOf(error) !== DEADLOCK || tries === MOST_TRIES) throw error;
    }
  }
};
