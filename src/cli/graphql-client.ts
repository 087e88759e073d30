import { z } from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient, type SubscribePayload } from 'graphql-ws';
import { WebSocket } from 'ws';

import { codeOf } from '../common/errors/error-code.js';
import { parseJson } from '../common/json.js';

/** The server answered with an error, in its words and with one of the codes of the closed list. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The `errors` of a GraphQL answer, as far as a person at a terminal needs them. */
export const GraphQLErrors = z
  .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }))
  .min(1);

export function refusalOf(errors: z.infer<typeof GraphQLErrors>): RequestRefused {
  return new RequestRefused(
    errors[0]?.extensions?.code ?? 'INTERNAL',
    errors.map(({ message }) => message).join(' '),
  );
}

/** There is no server, or it is not a Palabre server. The message is for the person at the terminal. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable';
}

const TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 1_000_000;

const Answer = z.union([z.object({ errors: GraphQLErrors }), z.object({ data: z.looseObject({}) })]);

/** Sends one query or mutation and gives its data, unchecked. */
export async function graphqlRequest(endpoint: string, token: string, body: object): Promise<object> {
  const { status, text } = await post(endpoint, token, JSON.stringify(body));
  const answer = Answer.safeParse(parseJson(text));
  // GraphQL reports missing things with status 200: a 404 means a wrong path, perhaps of a Palabre server.
  if (!answer.success || status === 404) {
    throw new ServerUnreachable(`What answers at ${endpoint} is no Palabre server (HTTP ${status}).`);
  }
  if ('errors' in answer.data) throw refusalOf(answer.data.errors);
  return answer.data.data;
}

async function post(
  endpoint: string,
  token: string,
  body: string,
): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
    authorization: `Bearer ${token}`,
  };
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(endpoint, { method: 'POST', headers, body, signal });
    return { status: response.status, text: await limitedText(response) };
  } catch (error) {
    throw new ServerUnreachable(
      `No Palabre server answers at ${new URL(endpoint).origin}: start one with npm start, or set PALABRE_URL.`,
      { cause: error },
    );
  }
}

async function limitedText(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (text.length > MAX_CHARACTERS)
      throw new Error(`The answer is longer than ${MAX_CHARACTERS} characters.`);
  }
  return text;
}

const HANDSHAKE_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const PING_EVERY_MS = 15_000;
const PONG_WITHIN_MS = 10_000;
/** With the waits below about 45 seconds: a server that restarts is back by then. */
const RETRIES = 12;
const LONGEST_WAIT_MS = 5000;

/** Close codes of graphql-ws for a token that is wrong or has expired. */
const tokenCloseCodes: ReadonlySet<unknown> = new Set([4401, 4403]);

class LimitedWebSocket extends WebSocket {
  constructor(address: string, protocols?: string | string[]) {
    super(address, protocols, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, maxPayload: MAX_MESSAGE_BYTES });
  }
}

/** Subscriptions over one WebSocket that is opened when needed and opened again when it is lost. */
export class EventSocket {
  private readonly client: Client;
  /** Whether the server accepted the token of the current connection. */
  private admitted = false;
  /** Whether there ever was a connection. */
  private wasConnected = false;
  /** Whether the user was told that the connection is lost. */
  private told = false;
  private pongTimer: NodeJS.Timeout | undefined;
  /** The HTTP status that came instead of a WebSocket; null: none did. */
  private refusedWith: number | null = null;

  constructor(url: string, token: () => Promise<string>, onReconnecting: () => void) {
    this.client = createClient({
      url,
      webSocketImpl: LimitedWebSocket,
      connectionParams: async () => ({ authorization: `Bearer ${await token()}` }),
      connectionAckWaitTimeout: HANDSHAKE_TIMEOUT_MS,
      keepAlive: PING_EVERY_MS,
      retryAttempts: RETRIES,
      retryWait: async (retries) => {
        await wait(Math.min(250 * 2 ** retries, LONGEST_WAIT_MS) + Math.random() * 250);
      },
      // An expired token closes the socket too; the next connection brings a new one, if there is one.
      shouldRetry: (error) =>
        this.admitted || (!tokenCloseCodes.has(codeOf(error)) && !this.isWebSocketBlocked),
      on: {
        connecting: (again) => {
          this.admitted = false;
          this.refusedWith = null;
          if (again && !this.told) onReconnecting();
          this.told = again;
        },
        connected: () => {
          this.wasConnected = true;
          this.admitted = true;
          this.told = false;
        },
        ping: (received) => {
          if (!received) this.expectPong();
        },
        pong: (received) => {
          if (received) clearTimeout(this.pongTimer);
        },
        closed: () => clearTimeout(this.pongTimer),
        error: (error) => (this.refusedWith = statusIn(error)),
      },
    });
  }

  /** The data of each result of a subscription, unchecked, until the server completes it. */
  async *results(request: SubscribePayload): AsyncGenerator<unknown, void> {
    try {
      for await (const { data, errors } of this.client.iterate(request)) {
        const failed = GraphQLErrors.safeParse(errors);
        if (failed.success) throw refusalOf(failed.data);
        yield data;
      }
    } catch (error) {
      throw this.isWebSocketBlocked ? webSocketBlocked(this.refusedWith) : toClientError(error);
    }
  }

  /** Whether a proxy lets no WebSocket through. While a server restarts, most proxies answer 5xx or 429. */
  private get isWebSocketBlocked(): boolean {
    if (this.wasConnected || this.refusedWith === null) return false;
    return this.refusedWith < 500 && this.refusedWith !== 429;
  }

  async close(): Promise<void> {
    clearTimeout(this.pongTimer);
    // It rejects while a connection is being tried in vain, which does not matter any more.
    await Promise.resolve(this.client.dispose()).catch(() => undefined);
  }

  private expectPong(): void {
    // A half-open connection reports nothing by itself: the machine slept, or a proxy forgot it.
    this.pongTimer = setTimeout(() => this.client.terminate(), PONG_WITHIN_MS);
  }
}

/** ws has no field for it: https://github.com/websockets/ws/blob/master/lib/websocket.js */
function statusIn(error: unknown): number | null {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
  const [, status] = /^Unexpected server response: (\d{3})$/.exec(message) ?? [];
  return status === undefined ? null : Number(status);
}

function webSocketBlocked(status: number | null): ServerUnreachable {
  return new ServerUnreachable(
    `No WebSocket gets through to the server (HTTP ${status}): a proxy before it has to pass them on. The turn goes on there.`,
  );
}

const CloseEvent = z.object({ code: z.int(), reason: z.string() });

function toClientError(error: unknown): Error {
  if (error instanceof RequestRefused) return error;
  const refused = GraphQLErrors.safeParse(error);
  if (refused.success) return refusalOf(refused.data);
  const closed = CloseEvent.safeParse(error);
  if (closed.success && tokenCloseCodes.has(closed.data.code)) {
    return new RequestRefused(
      'UNAUTHENTICATED',
      closed.data.reason || 'The server does not accept the token.',
    );
  }
  return new ServerUnreachable('The connection to the server is lost. The turn goes on there.', {
    cause: error,
  });
}
