import { type Client, createClient } from 'graphql-ws';

import type { TokenSource } from './http-request.js';
import { errorIn, PalabreError } from './palabre-error.js';
import type { Operation, Result } from './typed-document.js';

const OPEN_WITHIN_MS = 10_000;
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 10_000;
/** On a page the next question mostly comes soon. Elsewhere the wait would hold up the end of the process. */
const CLOSE_AFTER_MS = 'document' in globalThis ? 20_000 : 0;

/** Close codes of graphql-ws for a token that is wrong or has expired, and for a server that never acknowledges. */
const TOKEN_REFUSED: ReadonlySet<unknown> = new Set([4401, 4403]);
const NOT_ACKNOWLEDGED = 4504;

/** No WebSocket gets through to the server; perhaps a request does. */
export class SocketBlocked extends PalabreError {
  constructor(cause: unknown) {
    super('UNREACHABLE', 'No WebSocket gets through to the server.', { cause });
  }
}

/** Subscriptions over one WebSocket, which is opened when it is needed. Who is cut off subscribes again. */
export class Socket {
  private readonly client: Client;
  /** Whether the current connection got through. */
  private isOpen = false;
  /** Whether the server accepted the token of the current connection. */
  private isAdmitted = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tokenError: unknown = null;

  constructor(url: string, token: TokenSource, connected: () => void) {
    this.client = createClient({
      url,
      connectionParams: async () => {
        try {
          const bearer = await token();
          return bearer === null ? {} : { authorization: `Bearer ${bearer}` };
        } catch (error) {
          this.tokenError = error;
          throw error;
        }
      },
      connectionAckWaitTimeout: OPEN_WITHIN_MS,
      keepAlive: PING_EVERY_MS,
      lazyCloseTimeout: CLOSE_AFTER_MS,
      // What a subscription asks for again is not what it asked for first.
      retryAttempts: 0,
      on: {
        connecting: () => {
          this.isOpen = this.isAdmitted = false;
          this.tokenError = null;
          this.terminateAfter(OPEN_WITHIN_MS);
        },
        opened: () => {
          this.isOpen = true;
          clearTimeout(this.timer);
        },
        connected: () => {
          this.isAdmitted = true;
          connected();
        },
        // A connection that is half open tells nothing by itself: the machine slept, or a proxy forgot it.
        ping: (received) => {
          if (!received) this.terminateAfter(PONG_WITHIN_MS);
        },
        pong: (received) => {
          if (received) clearTimeout(this.timer);
        },
        closed: () => clearTimeout(this.timer),
      },
    });
  }

  /** The results of a subscription until the server completes it, the connection is lost or `signal` aborts. */
  async *results(operation: Operation, signal?: AbortSignal): AsyncGenerator<Result, void, undefined> {
    signal?.throwIfAborted();
    const results = this.client.iterate({ ...operation });
    const stop = (): void => void results.return?.();
    signal?.addEventListener('abort', stop);
    try {
      yield* results;
    } catch (error) {
      throw this.errorOf(error);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
    signal?.throwIfAborted();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    // It rejects while a connection is being tried in vain, which does not matter any more.
    await Promise.resolve(this.client.dispose()).catch(() => undefined);
  }

  private terminateAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.client.terminate(), ms);
  }

  private errorOf(error: unknown): unknown {
    if (this.tokenError !== null) return this.tokenError;
    const refused = errorIn(error);
    if (refused) return refused;
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
    if (!this.isAdmitted && TOKEN_REFUSED.has(code))
      return new PalabreError('UNAUTHENTICATED', 'The server does not accept the token.');
    if (!this.isOpen || code === NOT_ACKNOWLEDGED) return new SocketBlocked(error);
    return new PalabreError('UNREACHABLE', 'The connection to the server is lost.', { cause: error });
  }
}
