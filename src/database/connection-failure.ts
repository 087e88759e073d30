/** SQLSTATEs that say the server went away, hung up or takes nobody, rather than that a statement is wrong. */
const SERVER_GONE = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300']);
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
export const isConnectionFailure = (error: unknown): boolean => {
  for (let cause = error; isObject(cause); cause = cause.cause ?? cause.driverError) {
    const { code, message } = cause;
    if (typeof code === 'string') {
      if (SERVER_GONE.has(code) || SOCKET_CODES.has(code) || /^08\w{3}$/.test(code)) return true;
    } else if (typeof message === 'string' && PG_WORDS.test(message)) return true;
  }
  return false;
};

/** The SQLSTATE of a failed statement, such as 23505 for a unique violation; null for any other error. */
export const sqlStateOf = (error: unknown): string | null => {
  const code = isObject(error) ? error.code : null;
  // EPIPE has the form of one.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !SOCKET_CODES.has(code) ? code : null;
};

// Not `instanceof Error`: an error may come from another realm, such as a test runner's.
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
