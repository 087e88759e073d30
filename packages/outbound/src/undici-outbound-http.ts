import { lookup as systemLookup } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';

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

/** Is told of each request of a chain of redirects, and hands `send` headers that go with it. */
export type Around = <Answer extends { statusCode: number }>(
  request: Pick<Hop, 'url' | 'method'>,
  send: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;

interface OutboundOptions {
  /** The name under which requests are sent that have none of their own; left out: none. */
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
  private readonly brief: Agents;
  /** For streams, without a limit of connections: one may stay open for hours and must not block other requests. */
  private readonly streaming: Agents;

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
    const agentsOf = (connections: number | null): Agents => ({
      open: agentOf(pacedConnector({ timeout: connectTimeoutMs, lookup: openLookup }), connections),
      guarded: agentOf(guardedConnector(mayReach, anyLookup, connectTimeoutMs), connections),
    });
    this.brief = agentsOf(32);
    this.streaming = agentsOf(null);
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    request.signal.throwIfAborted();
    const overdue = AbortSignal.timeout(request.timeoutMs);
    try {
      const signal = AbortSignal.any([request.signal, overdue]);
      const { answer, hop } = await this.follow(request, this.brief, ACCEPTED_ENCODINGS, signal);
      return await read(answer, hop, request);
    } catch (error) {
      request.signal.throwIfAborted();
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
      const { answer, hop } = await this.follow(request, this.streaming, 'identity', signal);
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
    const agents = [this.brief, this.streaming].flatMap(({ open, guarded }) => [open, guarded]);
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  private async follow(
    request: OutboundStreamRequest,
    agents: Agents,
    encodings: string,
    signal: AbortSignal,
  ): Promise<{ answer: Dispatcher.ResponseData; hop: Hop }> {
    const { maxRedirects = MAX_REDIRECTS, isOperators = false } = request;
    let hop = firstHop(request);
    const trustedHost = isOperators ? hop.url.host : null;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const isOpen = hop.url.host === trustedHost || this.targets.isNamed(hop.url);
      const answer = await this.send(isOpen ? agents.open : agents.guarded, hop, encodings, signal);
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

/** `connections` limits those to one origin; null: no limit. */
function agentOf(connect: buildConnector.connector, connections: number | null): Agent {
  // No timeouts here: the signal limits the whole request.
  return new Agent({ connect, connections, headersTimeout: 0, bodyTimeout: 0 });
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
  { maxBytes, whenTooLarge = 'fail' }: OutboundRequest,
): Promise<OutboundResponse> {
  const encoding = joined(answer.headers['content-encoding']);
  const { bytes, truncated } = await readBody(answer.body, encoding, maxBytes);
  if (truncated && whenTooLarge === 'fail') throw tooLarge(maxBytes);
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
