import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';

import { Agent, buildConnector, type Dispatcher } from 'undici';

import { AllowedTargets } from './allowed-targets.js';
import { guardedConnector } from './guarded-connector.js';
import { type Hop, nextHop, readHeaders, readUrl } from './hop.js';
import { outboundErrorOf, timeout } from './outbound-failure.js';
import { OutboundError, OutboundHttp, type OutboundRequest, type OutboundResponse } from './outbound-http.js';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.js';
import { USER_AGENT } from './user-agent.js';

const MAX_REDIRECTS = 5;

export interface OutboundOptions {
  /** Hosts, with or without a port, and CIDR ranges that may be reached besides what is public. */
  allow: readonly string[];
  lookup?: LookupFunction;
  connectTimeoutMs?: number;
}

/** Goes out to public addresses only, and to those that the operator has opened. */
export class UndiciOutboundHttp extends OutboundHttp {
  private readonly targets: AllowedTargets;
  /** Connections to whatever address a host has that the operator has named; never shared with the other agent. */
  private readonly open: Agent;
  private readonly guarded: Agent;

  constructor({ allow, lookup = systemLookup as LookupFunction, connectTimeoutMs = 5_000 }: OutboundOptions) {
    super();
    this.targets = new AllowedTargets(allow);
    const mayReach = (address: string): boolean => this.targets.mayReach(address);
    this.open = agentOf(buildConnector({ timeout: connectTimeoutMs, lookup }));
    this.guarded = agentOf(guardedConnector(mayReach, lookup, connectTimeoutMs));
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    request.signal.throwIfAborted();
    const overdue = AbortSignal.timeout(request.timeoutMs);
    try {
      return await this.follow(request, AbortSignal.any([request.signal, overdue]));
    } catch (error) {
      request.signal.throwIfAborted();
      throw overdue.aborted ? timeout(error) : outboundErrorOf(error);
    }
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    await Promise.all([this.open.destroy(), this.guarded.destroy()]);
  }

  private async follow(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { maxRedirects = MAX_REDIRECTS, isOperators = false } = request;
    let hop = firstHop(request);
    const trustedHost = isOperators ? hop.url.host : null;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const isOpen = hop.url.host === trustedHost || this.targets.isNamed(hop.url);
      const answer = await send(isOpen ? this.open : this.guarded, hop, signal);
      // Its error is the request's, which is told otherwise; one that nobody hears would end the process.
      answer.body.on('error', () => undefined);
      const next = nextHop(hop, answer.statusCode, joined(answer.headers.location));
      if (!next) return await read(answer, hop, request);
      answer.body.destroy();
      hop = next;
    }
    throw new OutboundError('TOO_MANY_REDIRECTS', 'The address redirects too many times.');
  }
}

const agentOf = (connect: buildConnector.connector): Agent =>
  // The time is limited as a whole, by the signal.
  new Agent({ connect, connections: 32, headersTimeout: 0, bodyTimeout: 0 });

const firstHop = ({ url, method = 'GET', headers = {}, body }: OutboundRequest): Hop => ({
  url: readUrl(url),
  method,
  headers: readHeaders(headers),
  body: body ?? null,
});

const send = (
  dispatcher: Agent,
  { url, method, headers, body }: Hop,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> =>
  dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { 'user-agent': USER_AGENT, ...headers, 'accept-encoding': ACCEPTED_ENCODINGS },
    body,
    signal,
  });

const read = async (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { url }: Hop,
  { maxBytes, whenTooLarge = 'fail' }: OutboundRequest,
): Promise<OutboundResponse> => {
  const { bytes, truncated } = await readBody(body, joined(headers['content-encoding']), maxBytes);
  if (truncated && whenTooLarge === 'fail') {
    throw new OutboundError('TOO_LARGE', `The answer is larger than ${inMegabytes(maxBytes)} MB.`);
  }
  const told = Object.entries(headers).map(([name, value]) => [name, joined(value) ?? '']);
  return {
    status: statusCode,
    headers: Object.fromEntries(told) as Record<string, string>,
    url: url.href,
    body: bytes,
    truncated,
  };
};

const inMegabytes = (bytes: number): number => Number((bytes / 1e6).toPrecision(2));

const joined = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
