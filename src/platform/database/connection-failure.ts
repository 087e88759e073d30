/** The SQLSTATE of a write on a standby or in a read-only database. */
const READ_ONLY = '25006';
const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of a statement that has waited for a lock longer than lock_timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';

/**
 * SQLSTATEs that say that the server is going down, accepts no connections, has a full disk (53100) or is read-only,
 * and not that the statement is wrong. Not all of class 53: a statement may need more memory than there is.
 */
const SERVER_GONE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  '25P03',
  '53000',
  '53100',
  '53300',
  READ_ONLY,
]);
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** pg raises these without any code: https://github.com/brianc/node-postgres/blob/master/packages/pg/lib/client.js */
const PG_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether a statement failed because the database is unavailable. Only then it is worth trying again. */
export function isConnectionFailure(error: unknown): boolean {
  return causesOf(error).some(({ code, message }) =>
    typeof code === 'string'
      ? SERVER_GONE.has(code) || SOCKET_CODES.has(code) || /^08\w{3}$/.test(code)
      : typeof message === 'string' && PG_WORDS.test(message),
  );
}

/** Whether a statement failed because the database is read-only. */
export function isReadOnlyFailure(error: unknown): boolean {
  return causesOf(error).some(({ code }) => code === READ_ONLY);
}

/** Fails with READ_ONLY where nothing may be written. SQLSTATEs are the same in every language of the server. */
export const REFUSE_READ_ONLY = `DO $$ BEGIN
  IF current_setting('transaction_read_only')::boolean THEN
    RAISE read_only_sql_transaction USING MESSAGE = 'The database takes no writes.';
  END IF;
END $$`;

/** The SQLSTATE of a failed statement, such as 23505 for a unique violation; null for any other error. */
export function sqlStateOf(error: unknown): string | null {
  const code = isObject(error) ? error.code : null;
  // EPIPE looks like a SQLSTATE.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !SOCKET_CODES.has(code) ? code : null;
}

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION;
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Record<string, unknown>[] {
  const causes: Record<string, unknown>[] = [];
  for (let cause = error; isObject(cause); cause = cause.cause ?? cause.driverError) causes.push(cause);
  return causes;
}

// Not `instanceof Error`: an error may come from another realm, such as a test runner's.
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
