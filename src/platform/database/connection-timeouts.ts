import { Socket } from 'node:net';

import type pg from 'pg';
import type { QueryRunner } from 'typeorm';

/** The time limit of statements that turns wait for, and of opening a transaction, which waits for nothing. */
export const PROMPT_MS = 4_000;

/** The time limit of a new connection. */
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
  if (hasSocket(client)) setDeadline(client, 0);
}

function hasSocket(client: pg.ClientBase): boolean {
  return streamOf(client) instanceof Socket;
}

function streamOf(client: pg.ClientBase): unknown {
  return (client as pg.Client).connection.stream;
}

function socketOf(client: pg.ClientBase): Socket {
  const stream = streamOf(client);
  if (!(stream instanceof Socket)) throw new Error('The connection has no socket.');
  return stream;
}
