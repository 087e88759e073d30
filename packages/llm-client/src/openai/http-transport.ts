import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import zlib from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import { isJsonObject, parseJson } from '@palabre/json';

import { ProviderRefusal } from './provider-error.js';

/** Idle sockets are closed before the provider closes them, so that no request is sent into a closed one. */
const idleSocketMs = 4_000;
const maxErrorBytes = 64 * 1024;
/** OpenRouter's list of models takes a megabyte. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** Decides where a client may connect. */
export interface ConnectionGuard {
  /**
   * The lookup for the host of `url`. Throws, or the lookup fails, for a forbidden host: the error's `code` is
   * BLOCKED, its message is for people.
   */
  lookupOf(url: URL): LookupFunction;
}

export function isBlocked(error: unknown): error is Error & { code: 'BLOCKED' } {
  return error instanceof Error && 'code' in error && error.code === 'BLOCKED';
}

export interface ProviderAddress {
  /** With the version: `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Empty: the provider needs none. */
  apiKey: string;
}

interface ProviderRequest {
  /** JSON. Without it, the request is a GET. */
  body?: string | Buffer;
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Requests to one provider over node:http, because web streams are far slower. Follows no redirect. */
export class HttpTransport {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
    'https:': new https.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
  };

  /** `guard`: limits connections. Default: no limit. */
  constructor(
    private readonly provider: ProviderAddress,
    private readonly guard?: ConnectionGuard,
  ) {}

  /** The unread body of a successful answer. Rejects with ProviderRefusal and socket errors. */
  async send(path: string, request: ProviderRequest): Promise<Readable> {
    const message = await this.answerTo(this.urlOf(path), request);
    const { statusCode: status = 502, headers } = message;
    const body = decodedOf(message);
    if (status >= 200 && status < 300) return body;
    const text = (await beginningOf(body, maxErrorBytes)).toString('utf8');
    throw new ProviderRefusal(status, errorIn(text), headers);
  }

  /** The whole body. Null: too long. Rejects like `send`. */
  async read(path: string, request: ProviderRequest, maxBytes = MAX_TEXT_BYTES): Promise<string | null> {
    const bytes = await beginningOf(await this.send(path, request), maxBytes + 1);
    return bytes.length > maxBytes ? null : bytes.toString('utf8');
  }

  /** Closes all sockets, including those in use. */
  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  /** A path below the base URL, or an absolute address. */
  private urlOf(path: string): URL {
    return /^https?:/.test(path) ? new URL(path) : new URL(this.provider.baseUrl.replace(/\/$/, '') + path);
  }

  private async answerTo(url: URL, request: ProviderRequest): Promise<http.IncomingMessage> {
    try {
      return await this.sendOnce(url, request);
    } catch (error) {
      // The pool's socket was closed while idle. The request is not at fault.
      if (error instanceof StaleSocketError && !request.signal.aborted) return this.sendOnce(url, request);
      throw error;
    }
  }

  private sendOnce(url: URL, { body, headers, signal }: ProviderRequest): Promise<http.IncomingMessage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new TypeError(`The transport speaks http and https, not ${url.protocol}`);
    const lookup = this.guard?.lookupOf(url);
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        // Some firewalls require it.
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
 * Listens for the life of the request, because a late socket error must not end the process. A separate function,
 * because a closure with the request's body in scope would keep it until the answer ends.
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

/** The decompressed body: some gateways compress unasked. The reader limits its length. */
function decodedOf(message: http.IncomingMessage): Readable {
  const decoder = decoders[message.headers['content-encoding']?.trim().toLowerCase() ?? ''];
  // Errors reach the reader through the decoded stream.
  return decoder ? pipeline(message, decoder(), () => undefined) : message;
}

/** A message's body up to `mostBytes`: error pages may be of any length. */
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
