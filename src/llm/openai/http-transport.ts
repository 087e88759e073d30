import http from 'node:http';
import https from 'node:https';
import zlib from 'node:zlib';
import { pipeline, type Readable } from 'node:stream';
import { OpenAI } from 'openai';

import { parseJson } from '../../common/json.js';
import type { ConnectionGuard } from '../../platform/outbound/connection-guard.js';

/** An idle socket is given up before the provider closes it, so that no request is sent into a closed one. */
const idleSocketMs = 4_000;
const maxErrorBytes = 64 * 1024;
/** OpenRouter's list of models has a megabyte. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/**
 * A `fetch` on node:http for the SDK. Web streams cost more than all else in a streamed answer, so a good
 * answer has no body of its own: `messageOf` gives the message to read it from. Redirects are not followed.
 */
export class HttpTransport {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
    'https:': new https.Agent({ keepAlive: true, timeout: idleSocketMs, scheduling: 'lifo' }),
  };
  private readonly messages = new WeakMap<Response, Readable>();

  /** `guard`: where it may connect to; left out: anywhere. */
  constructor(private readonly guard?: ConnectionGuard) {}

  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const message = await this.send(url, init);
    const status = message.statusCode ?? 502;
    const headers = headersOf(message);
    const decoded = decodedOf(message);
    if (status >= 200 && status < 300) {
      const response = new Response(null, { status, headers });
      this.messages.set(response, decoded);
      return response;
    }
    const body = underError((await beginningOf(decoded, maxErrorBytes)).toString('utf8'));
    // The constructor takes no other status, though some gateways make them up.
    return new Response(body, {
      status: status >= 300 && status < 600 && status !== 304 ? status : 502,
      headers,
    });
  };

  /** The body of a response of this transport, which has not been touched. */
  messageOf(response: Response): Readable {
    const message = this.messages.get(response);
    if (!message) throw new Error('The response is not of this transport.');
    return message;
  }

  /** The body of a good answer that is no stream; null: it is longer than anybody has use for. */
  async textOf(response: Response): Promise<string | null> {
    const bytes = await beginningOf(this.messageOf(response), MAX_TEXT_BYTES + 1);
    return bytes.length > MAX_TEXT_BYTES ? null : bytes.toString('utf8');
  }

  /** Closes all sockets, also those in use. */
  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  private async send(url: URL, init: RequestInit): Promise<http.IncomingMessage> {
    try {
      return await this.sendOnce(url, init);
    } catch (error) {
      // The pool's socket was closed while it waited, which says nothing about this request.
      if (error instanceof StaleSocketError && !init.signal?.aborted) return this.sendOnce(url, init);
      throw error;
    }
  }

  private sendOnce(url: URL, init: RequestInit): Promise<http.IncomingMessage> {
    const { signal } = init;
    // A GET has none.
    const body = init.body ?? '';
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      throw new TypeError('The transport sends text and bytes only.');
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new TypeError(`The transport speaks http and https, not ${url.protocol}`);
    }
    const headers = {
      ...Object.fromEntries(new Headers(init.headers)),
      'accept-encoding': 'identity',
      ...(body.length === 0 ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    };
    const lookup = this.guard?.lookupOf(url);
    const { request } = url.protocol === 'https:' ? https : http;
    const agent = this.agents[url.protocol];
    return new Promise((resolve, reject) => {
      const options = {
        method: init.method ?? 'POST',
        headers,
        agent,
        ...(signal && { signal }),
        ...(lookup && { lookup }),
      };
      const outgoing = request(url, options, resolve);
      rejectOnError(outgoing, reject);
      outgoing.end(body);
    });
  }
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

/** Those the adapter and the SDK look at. */
function headersOf(message: http.IncomingMessage): Headers {
  const headers = new Headers();
  for (const name of ['content-type', 'retry-after', 'retry-after-ms', 'x-request-id']) {
    const value = message.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
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

/** Disables the SDK's own timeout: ours applies. */
const noTimeoutMs = 2 ** 31 - 1;

/** The SDK's client of one provider: it sends, and leaves timeouts, tries and logs to who calls it. */
export function providerClient(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { fetch }: HttpTransport,
): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey || 'none',
    // Else the SDK takes them from the environment, which one function of ours reads.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: noTimeoutMs,
    fetch,
  });
}

/**
 * The body of a refusal as the SDK reads it: of an object it hands on only what stands under `error`, and all else is
 * lost. Where nothing stands there, the whole is put there; words and pages it hands on by itself.
 */
export function underError(text: string): string {
  const body = parseJson(text);
  if (body === null || typeof body === 'number') return text;
  const isThere = typeof body === 'object' && 'error' in body && Boolean(body.error);
  return isThere ? text : JSON.stringify({ error: body });
}
