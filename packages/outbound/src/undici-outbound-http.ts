import { lookup as systemLookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';

import { FairSemaphore, rejectOnAbort } from '@palabre/async';
import { Agent, buildConnector, type Dispatcher } from 'undici';

import { AllowedTargets } from './allowed-targets.js';
import { blocked, guardedLookup } from './connection-guard.js';
import { lookupOfAnyName } from './name-lookup.js';
import {
  OutboundError,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  type OutboundStreamRequest,
} from './outbound-http.js';
import { type Hop, isRedirect, nextHop, readHeaders, readUrl } from './outbound-request.js';
import { paceReading } from './paced-socket.js';
import { outboundErrorOf, timeout, ACCEPTED_ENCODINGS, readBody, streamBody, tooLarge } from './read-body.js';

const MAX_REDIRECTS = 5;

/** Requests to one origin at the same time, of one requester. Each has a connection. */
const MOST_AT_ONCE = 32;
const MOST_WAITING = 1_000;

/** Observes each request of a chain of redirects, and adds headers to `send`. */
export type Around = <Answer extends { statusCode: number }>(
  request: Pick<Hop, 'url' | 'method'>,
  send: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;

interface OutboundOptions {
  /** The default user agent. Default: none. */
  userAgent?: string;
  around?: Around;
  /** Hosts, with or without a port, and CIDR ranges that may be reached in addition to public addresses. */
  allow: readonly string[];
  lookup?: LookupFunction;
  connectTimeoutMs?: number;
}

/** `open` connects to any address, for hosts that the operator allows by name. `guarded` checks the address. */
interface Agents {
  open: Agent;
  guarded: Agent;
}

/** Connects to public addresses only, and to those that the operator allows. */
export class UndiciOutboundHttp extends OutboundHttp {
  private readonly targets: AllowedTargets;
  private readonly agents: Agents;
  /** Streams are not limited: one may stay open for hours and must not block other requests. */
  private readonly places = new FairSemaphore({ all: Infinity, ofOne: MOST_AT_ONCE }, MOST_WAITING, () =>
    busy(),
  );

  private readonly ownHeaders: Readonly<Record<string, string>>;
  private readonly around: Around;

  constructor({
    allow,
    userAgent,
    around = (_, send) => send({}),
    lookup,
    connectTimeoutMs = 5_000,
  }: OutboundOptions) {
    super();
    this.ownHeaders = userAgent === undefined ? {} : { 'user-agent': userAgent };
    this.around = around;
    this.targets = new AllowedTargets(allow);
    const mayReach = (address: string): boolean => this.targets.mayReach(address);
    const openLookup = lookup ?? (systemLookup as LookupFunction);
    const anyLookup = lookup ?? lookupOfAnyName();
    this.agents = {
      open: agentOf(pacedConnector({ timeout: connectTimeoutMs, lookup: openLookup })),
      guarded: agentOf(guardedConnector(mayReach, anyLookup, connectTimeoutMs)),
    };
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    request.signal.throwIfAborted();
    const overdue = AbortSignal.timeout(request.timeoutMs);
    let hasBegun = false;
    try {
      const signal = AbortSignal.any([request.signal, overdue]);
      const { origin } = readUrl(request.url);
      const key = `${request.requester} ${origin}`;
      const answer = (): Promise<OutboundResponse> => {
        hasBegun = true;
        return this.answerTo(request, signal);
      };
      return await rejectOnAbort(() => this.places.run(key, answer, signal), signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (overdue.aborted && !hasBegun) throw busy(error);
      throw overdue.aborted ? timeout(error) : outboundErrorOf(error);
    }
  }

  async open(request: OutboundStreamRequest): Promise<OutboundStream> {
    request.signal.throwIfAborted();
    const overdue = new AbortController();
    const timer = setTimeout(() => overdue.abort(), request.timeoutMs);
    try {
      const signal = AbortSignal.any([request.signal, overdue.signal]);
      // Not compressed: events would be delayed until a compressed block is full.
      const { answer, hop } = await this.follow(request, 'identity', signal);
      const encoding = joined(answer.headers['content-encoding']);
      return { ...headOf(answer, hop), body: streamBody(answer.body, encoding, request.maxBytes) };
    } catch (error) {
      request.signal.throwIfAborted();
      throw overdue.signal.aborted ? timeout(error) : outboundErrorOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts running requests. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.agents).map((agent: Agent) => agent.destroy()));
  }

  private async answerTo(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { answer, hop } = await this.follow(request, ACCEPTED_ENCODINGS, signal);
    return read(answer, hop, { ...request, signal });
  }

  private async follow(
    request: OutboundStreamRequest,
    encodings: string,
    signal: AbortSignal,
  ): Promise<{ answer: Dispatcher.ResponseData; hop: Hop }> {
    const { maxRedirects = MAX_REDIRECTS, isOperators = false } = request;
    let hop = firstHop(request);
    const trustedHost = isOperators ? hop.url.host : null;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const isOpen = hop.url.host === trustedHost || this.targets.isNamed(hop.url);
      const answer = await this.send(isOpen ? this.agents.open : this.agents.guarded, hop, encodings, signal);
      // The request rejects with this error anyway. Without a listener it would end the process.
      answer.body.on('error', () => undefined);
      const location = joined(answer.headers.location);
      if (!isRedirect(answer.statusCode, location)) return { answer, hop };
      answer.body.destroy();
      // The last redirect is not checked: an error about its URL would suggest that nothing was sent.
      if (redirects === maxRedirects) break;
      hop = nextHop(hop, answer.statusCode, location) ?? hop;
    }
    throw new OutboundError('TOO_MANY_REDIRECTS', 'The address redirects too many times.');
  }

  private send(
    dispatcher: Agent,
    { url, method, headers, body }: Hop,
    encodings: string,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    return this.around({ url, method }, (added) =>
      dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...this.ownHeaders, ...added, ...headers, 'accept-encoding': encodings },
        body,
        signal,
      }),
    );
  }
}

function busy(cause?: unknown): OutboundError {
  return new OutboundError('BUSY', 'Too many requests wait for an answer of this server.', { cause });
}

function agentOf(connect: buildConnector.connector): Agent {
  // No timeouts here: the signal limits the whole request.
  return new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
}

function firstHop({ url, method = 'GET', headers = {}, body }: OutboundStreamRequest): Hop {
  return {
    url: readUrl(url),
    method,
    headers: readHeaders(headers),
    body: body ?? null,
  };
}

async function read(
  answer: Dispatcher.ResponseData,
  hop: Hop,
  { whenTooLarge = 'fail', ...request }: OutboundRequest,
): Promise<OutboundResponse> {
  const encoding = joined(answer.headers['content-encoding']);
  const { bytes, truncated } = await readBody(answer.body, encoding, request);
  if (truncated && whenTooLarge === 'fail') throw tooLarge(request.maxBytes);
  return { ...headOf(answer, hop), body: bytes, truncated };
}

function headOf({ statusCode, headers }: Dispatcher.ResponseData, { url }: Hop) {
  const told = Object.entries(headers).map(([name, value]) => [name, joined(value) ?? '']);
  return {
    status: statusCode,
    headers: Object.fromEntries(told) as Record<string, string>,
    url: url.href,
  };
}

function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

function pacedConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...[error, socket]) => {
      if (error) callback(error, null);
      else callback(null, paceReading(socket));
    });
}

/** Connects only to addresses for which `mayReach` is true. */
function guardedConnector(
  mayReach: (address: string) => boolean,
  lookup: LookupFunction,
  timeout: number,
): buildConnector.connector {
  const connect = pacedConnector({ timeout, lookup: guardedLookup(mayReach, lookup) });
  return (options, callback) => {
    // IP addresses are not looked up, so they are checked here.
    if (isIP(options.hostname) !== 0 && !mayReach(options.hostname)) {
      queueMicrotask(() => callback(blocked(), null));
      return;
    }
    connect(options, callback);
  };
}
