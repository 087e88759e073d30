import { codeOf, messageOf } from '../../common/errors/error-code.js';
import { parseDatabaseUrl } from '../../common/config/database-url.js';
import { isConnectionFailure, sqlStateOf } from './connection-failure.js';

/** The database cannot be opened. The message tells the operator what to do about it. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** Explains an error of connecting to the server of `url`. Gives any other error back unchanged. */
export function explainConnectionError(error: unknown, url: string): unknown {
  const place = placeOf(url);
  const words = place === null ? null : wordsOf(error, place);
  return words === null ? error : new UnusableDatabase(`${words} Check DATABASE_URL.`, { cause: error });
}

interface Place {
  server: string;
  host: string;
  user: string;
  database: string;
}

/** Never the password. */
function placeOf(url: string): Place | null {
  const address = parseDatabaseUrl(url);
  if (address === null) return null;
  const { port, options } = address;
  const host = options.get('host') || address.host || 'localhost';
  const user = address.user || options.get('user') || '(none given)';
  const database = address.database || user;
  return { server: `${host}:${port || '5432'}`, host, user, database };
}

function wordsOf(error: unknown, { server, host, user, database }: Place): string | null {
  switch (sqlStateOf(error) ?? codeOf(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The database server ${host} is not known by that name.`;
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
      return `No PostgreSQL answers at ${server}.`;
    case 'ENOENT':
    case 'EACCES':
      return fileWords(error, server);
    case '28P01':
    case '28000':
      return `The PostgreSQL at ${server} does not let ${user} in: the name, the password or the way of connecting is not accepted.`;
    case '3D000':
      return `The PostgreSQL at ${server} has no database ${database}. Create it, for example by: createdb ${database}.`;
    case '42501':
      return `The PostgreSQL at ${server} does not let ${user} connect to the database ${database}.`;
    case '25006':
      return `The database ${database} at ${server} takes no writes: it is a standby, or read-only for another reason.`;
    case '53300':
      return `The PostgreSQL at ${server} has no connection left for this process, which keeps up to DATABASE_POOL_SIZE and four more.`;
    case '57P03':
      return `The PostgreSQL at ${server} is just starting or stopping. Try again in a moment.`;
    // A prepared statement of another connection exists, or one of this connection does not.
    case '42P05':
    case '26000':
      return poolerWords(server);
    default:
      return certificateWords(error, server) ?? uncodedWords(error, server);
  }
}

function poolerWords(server: string): string {
  return (
    `Behind ${server} is a pooler that gives a connection away after each transaction, such as PgBouncer in transaction ` +
    'mode. Palabre needs connections of its own: connect directly, or by a pooler in session mode.'
  );
}

/** `processIds` are those that answered three statements: on one connection, on another, and on the first again. */
export function requireSessionConnections([first, other, again]: readonly number[], url: string): void {
  if (first !== other && first === again) return;
  const place = placeOf(url);
  throw new UnusableDatabase(`${poolerWords(place?.server ?? 'it')} Check DATABASE_URL.`);
}

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE_CODE = /(^|_)(CERT|CERTIFICATE|ISSUER)(_|$)/;

function certificateWords(error: unknown, server: string): string | null {
  const code = String(codeOf(error));
  if (code === OTHER_NAME)
    return `The certificate of the PostgreSQL at ${server} is for another name: use a name that is in it, or sslmode=verify-ca&uselibpqcompat=true.`;
  if (!CERTIFICATE_CODE.test(code)) return null;
  return (
    `The certificate of the PostgreSQL at ${server} is not accepted (${code}): name the file with the authority's ` +
    'own by sslrootcert=…, or have nothing checked by sslmode=require&uselibpqcompat=true.'
  );
}

/** pg has no codes for these: https://github.com/brianc/node-postgres/blob/master/packages/pg/lib/connection.js */
function uncodedWords(error: unknown, server: string): string | null {
  const message = messageOf(error);
  if (message.startsWith('The server does not support SSL'))
    return `The PostgreSQL at ${server} does not speak TLS, which sslmode asks for.`;
  if (/^SASL: .*client password must be/.test(message))
    return `The PostgreSQL at ${server} asks for a password, and there is none.`;
  return isSilence(error) ? `Nothing at ${server} answers like a PostgreSQL.` : null;
}

/** The missing file is a certificate or key named in the URL, or the socket of a local server. */
function fileWords(error: unknown, server: string): string {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || path === undefined
    ? `No PostgreSQL answers at ${server}.`
    : `The file ${path} cannot be read.`;
}

/** pg has no code for a server that closes the connection or does not answer. */
function isSilence(error: unknown): boolean {
  return codeOf(error) === undefined && isConnectionFailure(error);
}
