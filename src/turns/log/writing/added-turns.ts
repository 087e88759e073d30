/**
 * Whose events a statement has added is known to the database before anybody has heard of it. It is remembered there, so
 * that what is stored with the events can be sent right behind them, in the same round trip.
 */
const SETTING = 'palabre.added_turns';

/** In SQL, of rows: remembers their `turnId`s for the rest of the transaction. */
export const rememberAddedTo = (turnId: string): string =>
  `set_config('${SETTING}', coalesce(array_agg(${turnId})::text, '{}'), true)`;

/**
 * A condition, in SQL: events were added to this turn by the last statement of the transaction that adds any. An error
 * where there was none. To be asked of what was sent, not of a table: the planner would go by it instead of by the key.
 */
export const isAddedTo = (turnId: string): string =>
  // A subquery is read once, and not for every row.
  `${turnId} = ANY ((SELECT current_setting('${SETTING}')::uuid[])::uuid[])`;
