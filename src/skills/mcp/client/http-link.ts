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
import { rejectOnAbort } from '@palabre/async';

import { MAX_LIVE_SECONDS } from './live-call.js';
import { BROKEN_OFF, lostSession, refusalIn } from './mcp-failure.js';
import type { McpLink } from './mcp-session.js';

const MAX_BYTES = 8_000_000;
/** Added to a request's timeout, so that the caller's timeout comes first, also while the server waits for a person. */
const EXTRA_MS = 10_000 + MAX_LIVE_SECONDS * 1000;
/** How long a server that has answered may take to end the exchange itself: then the connection is used again. */
const END_AFTER_ANSWER_MS = 1_000;
const MIN_RECONNECTION_MS = 3_000;
const MAX_RECONNECTION_MS = 60_000;
const END_SESSION_MS = 1_000;

/** What a server wants of whoever signs in, as it says when it refuses a request. */
export interface Challenge {
  resourceMetadataUrl?: string | undefined;
  scope?: string | undefined;
}

/** The token that requests carry. What it rejects with ends the request. */
export interface LinkAuthorization {
  /** Undefined: none is needed, as far as is known. */
  token(): Promise<string | undefined>;
  /** Another token than the refused one; `challenge` null: there was none. Undefined: there is none to be had. */
  renew(refused: string | undefined, challenge: Challenge | null): Promise<string | undefined>;
  /** A token that may have the scopes which the refused one lacks. Rejects with McpFailure where there is none to be had. */
  widen(refused: string, lacking: string): Promise<string>;
}

interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** The address is the operator's own setting: its host may stand in a private network. */
  isOperators: boolean;
  /** Left out: the headers alone have to do. */
  authorization?: LinkAuthorization;
}

/** A request whose answer is still to come, or to end. */
interface Exchange {
  controller: AbortController;
  timer: NodeJS.Timeout | null;
  isAnswered: boolean;
}

/**
 * Streamable HTTP through OutboundHttp. Unlike the SDK's transport, it fails a request whose answer breaks off, ends
 * exchanges that a server leaves open, and waits some seconds before it reconnects.
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
      // The server was told to cancel; the rest of its answer is not read.
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

  /** Ends the session at the server, but does not wait long for that. */
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

  /** Whether the server does not know the session any more. Some say so with 400, and then not of this request. */
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

/** The client parses each message at once, in this thread: an answer within these limits takes some 40 ms. */
const LIMITS = { values: 100_000, keys: 10_000, nesting: 1_000 };

/** Fails when an answer holds so many values that parsing it would block the thread. */
function boundedJson(): TransformStream<Uint8Array, Uint8Array> {
  const scan = new JsonScan(LIMITS);
  return new TransformStream({
    transform(chunk, controller) {
      if (scan.scan(chunk) === null) controller.enqueue(chunk);
      else controller.error(new Error('The answer has too many values, or is nested too deep.'));
    },
  });
}

const never = new AbortController().signal;

/** The first may give what another process has got meanwhile, which lacks the scopes as well. */
const MAX_WIDENINGS = 2;

/**
 * `fetch` as far as the transport needs it. A request that is refused for its token, or for the scopes of that, is sent
 * once more, with another.
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

/** The scopes that a server wants of a token that it knows; null: it does not name any. */
function lackingScopeIn(response: Response): string | null {
  if (response.status !== 403 || !isBearerChallenge(response)) return null;
  // Some servers leave out the error, which RFC 6750 has in a refusal.
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

/** Redirects are refused: sessions and arguments are for one server alone. */
async function send(
  http: OutboundHttp,
  { timeoutMs, isOperators }: HttpServer,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  const { status, headers, body } = await http.open({
    url,
    method: (init.method ?? 'GET') as OutboundMethod,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === 'string' && { body: init.body }),
    timeoutMs: timeoutMs + EXTRA_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    isOperators,
    signal: init.signal ?? never,
  });
  const hasBody = ![204, 205, 304].includes(status);
  if (!hasBody) await body.cancel();
  return new Response(hasBody ? body.pipeThrough(boundedJson()) : null, { status, headers });
}
