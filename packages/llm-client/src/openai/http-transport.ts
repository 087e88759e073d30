import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import zlib from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import { isJsonObject, parseJson } from '@palabre/json';

import { ProviderRefusal } from './provider-error.js';

/** An idle socket is given up before the provider closes it, so that no request is sent into a closed one. */
const idleSocketMs = 4_000;
const maxErrorBytes = 64 * 1024;
/** OpenRouter's list of models has a megabyte. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** Says where a client may connect to. */
export interface ConnectionGuard {
  /**
   * How the host of `url` is looked up for a connection. It throws, or the lookup fails, where it may not be reached: with
   * an error whose `code` is BLOCKED and whose message is for people.
   */
  lookupOf(url: URL): LookupFunction;
}

/** Whether it was a guard that kept a request from being sent. */
export function isBlocked(error: unknown): error is Error & { code: 'BLOCKED' } {
  return error instanceof Error && 'code' in error && error.code === 'BLOCKED';
}

export interface ProviderAddress {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Empty for a provider that asks for none. */
  apiKey: string;
}

interface ProviderRequest {
  /** JSON; left out: it is a GET. */
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Requests to one provider on node:http: web streams cost more than all else in a streamed answer. Follows no redirect. */
export class HttpTransport {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
    'https:': new https.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
  };

  /** `guard`: where it may connect to; left out: anywhere. */
  constructor(
    private readonly provider: ProviderAddress,
    private readonly guard?: ConnectionGuard,
  ) {}

  /** The body of a good answer, which nobody has read yet. Rejects with ProviderRefusal, and with what the socket says. */
  async send(path: string, request: ProviderRequest): Promise<Readable> {
    const message = await this.answerTo(this.urlOf(path), request);
    const { statusCode: status = 502, headers } = message;
    const body = decodedOf(message);
    if (status >= 200 && status < 300) return body;
    const text = (await beginningOf(body, maxErrorBytes)).toString('utf8');
    throw new ProviderRefusal(status, errorIn(text), headers);
  }

  /** The whole body; null: it is longer than anybody has use for. Rejects as `send` does. */
  async read(path: string, request: ProviderRequest, maxBytes = MAX_TEXT_BYTES): Promise<string | null> {
    const bytes = await beginningOf(await this.send(path, request), maxBytes + 1);
    return bytes.length > maxBytes ? null : bytes.toString('utf8');
  }

  /** Closes all sockets, also those in use. */
  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  /** A path below the base URL, or an address of its own. */
  private urlOf(path: string): URL {
    return /^https?:/.test(path) ? new URL(path) : new URL(this.provider.baseUrl.replace(/\/$/, '') + path);
  }

  private async answerTo(url: URL, request: ProviderRequest): Promise<http.IncomingMessage> {
    try {
      return await this.sendOnce(url, request);
    } catch (error) {
      // The pool's socket was closed while it waited, which says nothing about this request.
      if (error instanceof StaleSocketError && !request.signal.aborted) return this.sendOnce(url, request);
      throw error;
    }
  }

  private sendOnce(url: URL, { body, headers, signal }: ProviderRequest): Promise<http.IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new TypeError(`The transport speaks http and https, not ${url.protocol}`);
    }
    const lookup = this.guard?.lookupOf(url);
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        // Some firewalls refuse who does not say.
        'user-agent': 'Palabre',
        'accept-encoding': 'identity',
        authorization: `Bearer ${this.provider.apiKey || 'none'}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
        }),
        ...headers,
      },
      agent: this.agents[url.protocol],
      signal,
      ...(lookup && { lookup }),
    };
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const outgoing = request(url, options, resolve);
      rejectOnError(outgoing, reject);
      outgoing.end(body);
    });
  }
}

function errorIn(text: string): unknown {
  const body = parseJson(text);
  return (isJsonObject(body) && body['error']) || (body ?? text);
}

class StaleSocketError extends Error {}

/**
 * Listens for the life of the request: a socket that breaks later must not bring the process down. A function of its
 * own, for a listener that sees the request's body would keep it until the answer is at its end.
 */
function rejectOnError(outgoing: http.ClientRequest, reject: (error: Error) => void): void {
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    const stale = outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    reject(stale ? new StaleSocketError(error.message, { cause: error }) : error);
  });
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

/** The body as it was before it was compressed, which some gateways do unasked. How long it may be is its reader's affair. */
function decodedOf(message: http.IncomingMessage): Readable {
  const decoder = decoders[message.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  // What goes wrong is told by the stream that is read.
  return decoder ? pipeline(message, decoder(), () => undefined) : message;
}

/** A message's body, as far as `mostBytes`: an error page may be as long as it likes. */
async function beginningOf(message: Readable, mostBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length >= mostBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, mostBytes);
}
