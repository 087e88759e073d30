import { Socket } from 'node:net';
import type pg from 'pg';
import type { QueryRunner } from 'typeorm';

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

/** The time limit of statements that turns wait for, and of opening a transaction, which waits for nothing. */
export const PROMPT_MS = 4_000;

export const CONNECT_TIMEOUT_MS = 10_000;

/** The time limit of statements outside of our transactions: longer than their statement_timeout. */
const STATEMENT_MS = 35_000;

/** The error of statements on a connection that has timed out. Its code is that of a lost connection. */
class SilentConnection extends Error {
  override readonly name = 'SilentConnection';
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database has not answered in time.');
  }
}

/**
 * Closes connections that do not answer. When a network silently drops a connection, a client that has sent something
 * waits for ever: the server's timeouts do not reach it, and TCP keep-alive waits for the sent data to be acknowledged.
 */
export class SilentConnectionGuard {
  private readonly sockets = new Set<Socket>();
  /** The sockets of connections that are not in use. */
  private readonly idle = new Set<Socket>();

  /** Call it with every new connection, before it is used. */
  readonly add = (client: pg.ClientBase): void => {
    const socket = socketOf(client);
    this.sockets.add(socket);
    socket.on('timeout', () => this.endIfSilent(socket));
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.idle.delete(socket);
    });
    socket.setTimeout(CONNECT_TIMEOUT_MS);
  };

  /** Sets time limits for the connections of `pool` while they are in use. */
  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => {
      this.idle.delete(socketOf(client));
      setDeadline(client, STATEMENT_MS);
    });
    pool.on('release', (_error, client) => {
      setDeadline(client, 0);
      this.idle.add(socketOf(client));
    });
  }

  /** Closes all connections, also those in use. */
  endAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private endIfSilent(socket: Socket): void {
    const heard = socket.bytesRead;
    // If this process was suspended, the answer may have arrived. It is read before an immediate runs.
    setImmediate(() => {
      if (socket.destroyed || socket.bytesRead > heard) return;
      // The idle connections are dead too, and would each cost somebody a timeout. They are closed first: a retry must
      // not get one of them.
      for (const silent of [...this.idle, socket]) silent.destroy(new SilentConnection());
    });
  }
}

/** Limits how long the server may send nothing from now on; 0: no limit. Each answer restarts the time. */
export function setDeadline(client: pg.ClientBase, ms: number): void {
  socketOf(client).setTimeout(ms);
}

/** Lifts the time limit of `runner` until it is released: building an index may take hours. */
export async function disableDeadline(runner: QueryRunner): Promise<void> {
  const client: pg.ClientBase = await runner.connect();
  if (streamOf(client) instanceof Socket) setDeadline(client, 0);
}

function streamOf(client: pg.ClientBase): unknown {
  return (client as pg.Client).connection.stream;
}

function socketOf(client: pg.ClientBase): Socket {
  const stream = streamOf(client);
  if (!(stream instanceof Socket)) throw new Error('The connection has no socket.');
  return stream;
}
