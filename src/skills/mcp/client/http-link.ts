import {
  extractWWWAuthenticateParams,
  type FetchLike,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { JsonScan } from '@palabre/parsing';
import type { OutboundHttp, OutboundMethod } from '@palabre/outbound';
import { fairThread, rejectOnAbort } from '@palabre/async';

import { readingWaitMsOf } from '../../http/unknown-outcome.js';
import { MAX_LIVE_SECONDS } from './live-call.js';
import { BROKEN_OFF, lostSession, refusalIn } from './mcp-failure.js';
import type { McpLink } from './mcp-session.js';

const MAX_BYTES = 8_000_000;
/** Added to a request's timeout, so that the caller's timeout comes first, even while the server waits for a person. */
const EXTRA_MS = 10_000 + MAX_LIVE_SECONDS * 1000;
/** How long a server may take to end an answered exchange itself. The connection is then reused. */
const END_AFTER_ANSWER_MS = 1_000;
const MIN_RECONNECTION_MS = 3_000;
const MAX_RECONNECTION_MS = 60_000;
const END_SESSION_MS = 1_000;

/** A server's requirements for signing in, from its refusal of a request. */
export interface Challenge {
  resourceMetadataUrl?: string | undefined;
  scope?: string | undefined;
}

/** Provides tokens for requests. Its rejections end the request. */
export interface LinkAuthorization {
  /** Undefined: none is needed so far. */
  token(): Promise<string | undefined>;
  /** A token other than the refused one. `challenge` null: none. Undefined: no other is available. */
  renew(refused: string | undefined, challenge: Challenge | null): Promise<string | undefined>;
  /** A token with the missing scopes, if possible. Rejects with McpFailure if there is none. */
  widen(refused: string, lacking: string): Promise<string>;
}

interface HttpServer {
  /** The server's company, which shares the thread with others. Null: companies share the server. */
  company: string | null;
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** The address is the operator's setting, so its host may be in a private network. */
  isOperators: boolean;
  /** Default: only the headers. */
  authorization?: LinkAuthorization;
}

/** A request whose answer has not ended. */
interface Exchange {
  controller: AbortController;
  timer: NodeJS.Timeout | null;
  isAnswered: boolean;
}

/**
 * Streamable HTTP through OutboundHttp. Unlike the SDK's transport, it fails requests whose answer breaks off, ends
 * exchanges that a server leaves open, and waits some seconds before reconnecting.
 */
export class HttpLink implements McpLink, Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream = true;
  private readonly inner: StreamableHTTPClientTransport;
  private readonly exchanges = new Map<RequestId, Exchange>();
  private readonly reconnections = new Set<NodeJS.Timeout>();

  constructor(
    http: OutboundHttp,
    private readonly server: HttpServer,
  ) {
    this.inner = new StreamableHTTPClientTransport(new URL(server.url), {
      fetch: fetchBy(http, server),
      requestInit: { headers: { ...server.headers } },
      reconnectionOptions: {
        initialReconnectionDelay: MIN_RECONNECTION_MS,
        maxReconnectionDelay: MAX_RECONNECTION_MS,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 3,
      },
      reconnectionScheduler: (reconnect, delayMs) => this.schedule(reconnect, delayMs),
    });
    Object.assign(this.inner, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage) => this.receive(message),
    });
  }

  get transport(): Transport {
    return this;
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.inner.start();
  }

  async send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if (isJSONRPCRequest(message)) return this.ask(message.id, message, options);
    await this.inner.send(message, options);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      // The server was told to cancel. The rest of its answer is ignored.
      const { requestId } = message.params as { requestId?: RequestId };
      if (requestId !== undefined) this.end(requestId);
    }
  }

  async close(): Promise<void> {
    for (const timer of this.reconnections) clearTimeout(timer);
    this.reconnections.clear();
    for (const id of this.exchanges.keys()) this.end(id);
    await this.inner.close();
  }

  /** Ends the session at the server, with a short time limit. */
  async dispose(): Promise<void> {
    const overdue = AbortSignal.timeout(END_SESSION_MS);
    await rejectOnAbort(() => this.inner.terminateSession(), overdue).catch(() => undefined);
    await this.close();
  }

  private async ask(
    id: RequestId,
    message: JSONRPCMessage & { method: string },
    options: TransportSendOptions,
  ): Promise<void> {
    const exchange: Exchange = { controller: new AbortController(), timer: null, isAnswered: false };
    this.exchanges.set(id, exchange);
    // A subscription stays open.
    if (message.method !== 'subscriptions/listen') this.endAfter(id, this.server.timeoutMs + EXTRA_MS);
    const { signal } = exchange.controller;
    try {
      await this.inner.send(message, {
        ...options,
        requestSignal: options.requestSignal ? AbortSignal.any([options.requestSignal, signal]) : signal,
        onRequestStreamEnd: () => {
          options.onRequestStreamEnd?.();
          this.onEnd(id);
        },
      });
    } catch (error) {
      this.forget(id);
      throw error instanceof SdkHttpError && this.isLost(error, id) ? lostSession(error) : error;
    }
  }

  /** Whether the server no longer knows the session. Some report that with 400, and not about this request. */
  private isLost(error: SdkHttpError, id: RequestId): boolean {
    if (this.sessionId === undefined) return false;
    return error.status === 404 || (error.status === 400 && refusalIn(error)?.id !== id);
  }

  private receive(message: JSONRPCMessage): void {
    if ('id' in message && message.id !== undefined && !('method' in message)) {
      const exchange = this.exchanges.get(message.id);
      if (exchange) {
        exchange.isAnswered = true;
        this.endAfter(message.id, END_AFTER_ANSWER_MS);
      }
    }
    this.onmessage?.(message);
  }

  private onEnd(id: RequestId): void {
    const isAnswered = this.exchanges.get(id)?.isAnswered ?? true;
    this.forget(id);
    if (isAnswered) return;
    const error = { code: BROKEN_OFF, message: 'The answer broke off.' };
    this.onmessage?.({ jsonrpc: '2.0', id, error });
  }

  private endAfter(id: RequestId, ms: number): void {
    const exchange = this.exchanges.get(id);
    if (!exchange) return;
    if (exchange.timer) clearTimeout(exchange.timer);
    exchange.timer = setTimeout(() => this.end(id), ms).unref();
  }

  private end(id: RequestId): void {
    const exchange = this.exchanges.get(id);
    this.forget(id);
    exchange?.controller.abort();
  }

  private forget(id: RequestId): void {
    const timer = this.exchanges.get(id)?.timer;
    if (timer) clearTimeout(timer);
    this.exchanges.delete(id);
  }

  private schedule(reconnect: () => void, delayMs: number): () => void {
    const pauseMs = Math.min(Math.max(delayMs, MIN_RECONNECTION_MS), MAX_RECONNECTION_MS);
    const timer = setTimeout(() => {
      this.reconnections.delete(timer);
      reconnect();
    }, pauseMs).unref();
    this.reconnections.add(timer);
    return () => {
      clearTimeout(timer);
      this.reconnections.delete(timer);
    };
  }
}

/** The client parses each message at once in this thread: an answer within these limits takes some 40 ms. */
const LIMITS = { values: 100_000, keys: 10_000, nesting: 1_000 };

/**
 * Fails for an answer with so many values that parsing it would block the thread. Passes on only as much at a time as
 * the company may have read, because the client processes it at once. All parts together wait at most `maxWaitMs`.
 */
function boundedJson(
  company: string | null,
  { signal, maxWaitMs }: Waiting,
): TransformStream<Uint8Array, Uint8Array> {
  const scan = new JsonScan(LIMITS);
  let leftMs = maxWaitMs;
  const admit = async (bytes: number): Promise<void> => {
    // One company's large answers would delay all others on the server.
    if (company === null) return;
    const startedAt = performance.now();
    await fairThread.admit(company, bytes, { signal, maxWaitMs: leftMs });
    leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
  };
  return new TransformStream({
    async transform(chunk, controller) {
      await admit(chunk.byteLength);
      if (scan.scan(chunk) === null) controller.enqueue(chunk);
      else controller.error(new Error('The answer has too many values, or is nested too deep.'));
    },
    flush: () => admit(0),
  });
}

type Waiting = Parameters<typeof fairThread.admit>[2];

const never = new AbortController().signal;

/** The first may return another process's token, which lacks the scopes too. */
const MAX_WIDENINGS = 2;

/**
 * `fetch` as far as the transport needs it. A request refused for its token or scopes is repeated once with another
 * token.
 */
function fetchBy(http: OutboundHttp, server: HttpServer): FetchLike {
  const { authorization } = server;
  if (!authorization) return (input, init) => send(http, server, String(input), init);
  return async (input, init) => {
    const sendWith = (token: string | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return send(http, server, String(input), { ...init, headers });
    };
    const widened = async (
      response: Response,
      token: string | undefined,
      repeats = MAX_WIDENINGS,
    ): Promise<Response> => {
      const lacking = lackingScopeIn(response);
      if (lacking === null || token === undefined || repeats === 0) return response;
      await response.body?.cancel();
      const wider = await authorization.widen(token, lacking);
      return widened(await sendWith(wider), wider, repeats - 1);
    };
    const token = await authorization.token();
    const response = await sendWith(token);
    if (response.status !== 401) return widened(response, token);
    const other = await authorization.renew(token, challengeIn(response));
    if (other === undefined) return response;
    await response.body?.cancel();
    return widened(await sendWith(other), other);
  };
}

/** The scopes that a server requires of a known token. Null: not stated. */
function lackingScopeIn(response: Response): string | null {
  if (response.status !== 403 || !isBearerChallenge(response)) return null;
  // Some servers omit the error, which RFC 6750 requires.
  const { error = 'insufficient_scope', scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' && scope !== undefined ? scope : null;
}

function challengeIn(response: Response): Challenge | null {
  if (!isBearerChallenge(response)) return null;
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl: resourceMetadataUrl?.href, scope };
}

function isBearerChallenge({ headers }: Response): boolean {
  return /^bearer\b/i.test(headers.get('www-authenticate') ?? '');
}

/** Refuses redirects, because sessions and arguments are for one server only. */
async function send(
  http: OutboundHttp,
  { company, timeoutMs, isOperators }: HttpServer,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const signal = init.signal ?? never;
  const { status, headers, body } = await http.open({
    url,
    method: (init.method ?? 'GET') as OutboundMethod,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === 'string' && { body: init.body }),
    timeoutMs: timeoutMs + EXTRA_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    isOperators,
    signal,
  });
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) await body.cancel();
  const read = boundedJson(company, { signal, maxWaitMs: readingWaitMsOf(timeoutMs) });
  return new Response(hasBody ? body.pipeThrough(read) : null, { status, headers });
}
