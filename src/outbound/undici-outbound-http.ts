import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import { AllowedTargets } from './allowed-targets.js';
import { guardedConnector } from './guarded-connector.js';
import { type Hop, isRedirect, nextHop, readHeaders, readUrl } from './hop.js';
import { outboundErrorOf, timeout } from './outbound-failure.js';
import {
  OutboundError,
  OutboundHttp,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  type OutboundStreamRequest,
} from './outbound-http.js';
import { ACCEPTED_ENCODINGS, readBody, streamBody, tooLarge } from './read-body.js';
import { USER_AGENT } from './user-agent.js';

const MAX_REDIRECTS = 5;

export interface OutboundOptions {
  /** Hosts, with or without a port, and CIDR ranges that may be reached besides what is public. */
  allow: readonly string[];
  lookup?: LookupFunction;
  connectTimeoutMs?: number;
}

/** Connections to whatever address a host has that the operator has named, and those that are looked at closely. */
interface Agents {
  open: Agent;
  guarded: Agent;
}

/** Goes out to public addresses only, and to those that the operator has opened. */
export class UndiciOutboundHttp extends OutboundHttp {
  private readonly targets: AllowedTargets;
  private readonly brief: Agents;
  /** Apart, and as many as are asked for: each may stand open for hours, and must not keep the others waiting. */
  private readonly lasting: Agents;

  constructor({ allow, lookup = systemLookup as LookupFunction, connectTimeoutMs = 5_000 }: OutboundOptions) {
    super();
    this.targets = new AllowedTargets(allow);
    const mayReach = (address: string): boolean => this.targets.mayReach(address);
    const agentsOf = (connections: number | null): Agents => ({
      open: agentOf(buildConnector({ timeout: connectTimeoutMs, lookup }), connections),
      guarded: agentOf(guardedConnector(mayReach, lookup, connectTimeoutMs), connections),
    });
    this.brief = agentsOf(32);
    this.lasting = agentsOf(null);
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
      // Packed, events would come when a block of them is full.
      const { answer, hop } = await this.follow(request, this.lasting, 'identity', signal);
      const encoding = joined(answer.headers['content-encoding']);
      return { ...headOf(answer, hop), body: streamBody(answer.body, encoding, request.maxBytes) };
    } catch (error) {
      request.signal.throwIfAborted();
      throw overdue.signal.aborted ? timeout(error) : outboundErrorOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    const agents = [this.brief, this.lasting].flatMap(({ open, guarded }) => [open, guarded]);
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
      const answer = await send(isOpen ? agents.open : agents.guarded, hop, encodings, signal);
      // Its error is the request's, which is told otherwise; one that nobody hears would end the process.
      answer.body.on('error', () => undefined);
      const location = joined(answer.headers.location);
      if (!isRedirect(answer.statusCode, location)) return { answer, hop };
      answer.body.destroy();
      // Where the last one leads is not looked at: what is wrong there would be told as if nothing had been sent.
      if (redirects === maxRedirects) break;
      hop = nextHop(hop, answer.statusCode, location) ?? hop;
    }
    throw new OutboundError('TOO_MANY_REDIRECTS', 'The address redirects too many times.');
  }
}

/** `connections`: to one origin; null: any number. */
const agentOf = (connect: buildConnector.connector, connections: number | null): Agent =>
  // The time is limited as a whole, by the signal.
  new Agent({ connect, connections, headersTimeout: 0, bodyTimeout: 0 });

const firstHop = ({ url, method = 'GET', headers = {}, body }: OutboundStreamRequest): Hop => ({
  url: readUrl(url),
  method,
  headers: readHeaders(headers),
  body: body ?? null,
});

const send = (
  dispatcher: Agent,
  { url, method, headers, body }: Hop,
  encodings: string,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> =>
  dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { 'user-agent': USER_AGENT, ...headers, 'accept-encoding': encodings },
    body,
    signal,
  });

const read = async (
  answer: Dispatcher.ResponseData,
  hop: Hop,
  { maxBytes, whenTooLarge = 'fail' }: OutboundRequest,
): Promise<OutboundResponse> => {
  const encoding = joined(answer.headers['content-encoding']);
  const { bytes, truncated } = await readBody(answer.body, encoding, maxBytes);
  if (truncated && whenTooLarge === 'fail') throw tooLarge(maxBytes);
  return { ...headOf(answer, hop), body: bytes, truncated };
};

const headOf = ({ statusCode, headers }: Dispatcher.ResponseData, { url }: Hop) => {
  const told = Object.entries(headers).map(([name, value]) => [name, joined(value) ?? '']);
  return {
    status: statusCode,
    headers: Object.fromEntries(told) as Record<string, string>,
    url: url.href,
  };
};

const joined = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
