/** The SQLSTATE of a write where nothing may be written: on a standby, or in a database made read-only. */
const READ_ONLY = '25006';
const UNIQUE_VIOLATION = '23505';

/**
 * SQLSTATEs that say the server went away, hung up, takes nobody, or has no room (53100: its disk is full) or no leave to
 * write, rather than that a statement is wrong. Not all of 53: a statement may want more memory than there ever is.
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

/** Whether a statement failed because the database is away: worth trying again, unlike any other failure. */
export const isConnectionFailure = (error: unknown): boolean =>
  causesOf(error).some(({ code, message }) =>
    typeof code === 'string'
      ? SERVER_GONE.has(code) || SOCKET_CODES.has(code) || /^08\w{3}$/.test(code)
      : typeof message === 'string' && PG_WORDS.test(message),
  );

/** Whether it is one because nothing may be written there. */
export const isReadOnlyFailure = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => code === READ_ONLY);

/** Fails with an `isReadOnlyFailure` where nothing may be written, in every language of the server. */
export const REFUSE_READ_ONLY = `DO $$ BEGIN
  IF current_setting('transaction_read_only')::boolean THEN
    RAISE read_only_sql_transaction USING MESSAGE = 'The database takes no writes.';
  END IF;
END $$`;

/** The SQLSTATE of a failed statement, such as 23505 for a unique violation; null for any other error. */
export const sqlStateOf = (error: unknown): string | null => {
  const code = isObject(error) ? error.code : null;
  // EPIPE has the form of one.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !SOCKET_CODES.has(code) ? code : null;
};

/** Whether a write failed because there is such a row already. */
export const isUniqueViolation = (error: unknown): boolean => sqlStateOf(error) === UNIQUE_VIOLATION;

/** The error and what it was caused by, outermost first. */
const causesOf = (error: unknown): Record<string, unknown>[] => {
  const causes: Record<string, unknown>[] = [];
  for (let cause = error; isObject(cause); cause = cause.cause ?? cause.driverError) causes.push(cause);
  return causes;
};

// Not `instanceof Error`: an error may come from another realm, such as a test runner's.
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
