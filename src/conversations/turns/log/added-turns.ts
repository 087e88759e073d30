/**
 * A statement that appends events stores in a transaction-local setting which turns it appended to. Statements that
 * follow can refer to that setting, so all of them are sent in one round trip.
 */
const SETTING = 'palabre.added_turns';

/** SQL aggregate: remembers the rows' `turnId`s for the rest of the transaction. */
export function rememberAddedTurns(turnId: string): string {
  return `set_config('${SETTING}', coalesce(array_agg(${turnId})::text, '{}'), true)`;
}

/**
 * SQL condition: the transaction's last append added events to this turn. Fails when there was no append. Use it on the
 * values that were sent, not on a table's column: the planner would prefer it to the table's key.
 */
export function isAddedTurn(turnId: string): string {
  // As a subquery it is evaluated once, not for every row.
  return `${turnId} = ANY ((SELECT current_setting('${SETTING}')::uuid[])::uuid[])`;
}
