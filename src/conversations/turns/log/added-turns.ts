/** Appending remembers the turns in this setting of the transaction, so that all statements go in one round trip. */
const SETTING = 'palabre.added_turns';

/** SQL aggregate: remembers the rows' `turnId`s for the rest of the transaction. */
export function rememberAddedTurns(turnId: string): string {
  return `set_config('${SETTING}', coalesce(array_agg(${turnId})::text, '{}'), true)`;
}

/** Compares with values that were sent: the planner would prefer a column to the key. Fails without an append. */
export function isAddedTurn(turnId: string): string {
  // As a subquery it is evaluated once, not for every row.
  return `${turnId} = ANY ((SELECT current_setting('${SETTING}')::uuid[])::uuid[])`;
}
