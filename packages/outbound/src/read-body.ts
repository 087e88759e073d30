import { pipeline, Readable, Transform } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

import { fairThread } from '@palabre/async';

import { OutboundError, type OutboundRequest } from './outbound-http.js';

/** The value of Accept-Encoding. Without deflate, which servers implement in two ways. It is still decoded. */
export const ACCEPTED_ENCODINGS = 'gzip, br';

/** Bytes read without a break. A near server sends so fast that nobody else would be served. */
const BYTES_AT_ONCE = 64 * 1024;

/** The longest wait for the thread between two slices. Longer ones would make the request late. */
const MAX_WAIT_MS = 50;

/**
 * Reads and decompresses a body up to `maxBytes` of decompressed data, so that a zip bomb costs no more than any other
 * body. The rest is not read. A requester that uses more than its share of the thread waits between two slices.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  { maxBytes, requester, signal }: Pick<OutboundRequest, 'maxBytes' | 'requester' | 'signal'>,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  const unpacked = unpack(body, encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  let yieldedAt = 0;
  // Leaving the loop early destroys the body, and its connection with it.
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) break;
    if (size - yieldedAt < BYTES_AT_ONCE) continue;
    yieldedAt = size;
    await yieldToEventLoop();
    await fairThread.admit(requester, BYTES_AT_ONCE, { signal, maxWaitMs: MAX_WAIT_MS });
  }
  return { bytes: Buffer.concat(chunks), truncated: size > maxBytes };
}

/** Decompresses a body as a stream, which fails after `maxBytes`. */
export function streamBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): ReadableStream<Uint8Array> {
  const unpacked = unpack(body, encoding);
  const limiter = limiterOf(maxBytes);
  unpacked.on('error', (error) => limiter.destroy(outboundErrorOf(error)));
  // A body can break off without an error.
  unpacked.on('close', () => {
    if (!unpacked.readableEnded) limiter.destroy(outboundErrorOf(null));
  });
  limiter.on('close', () => unpacked.destroy());
  unpacked.pipe(limiter);
  return Readable.toWeb(limiter) as ReadableStream<Uint8Array>;
}

function limiterOf(maxBytes: number): Transform {
  let size = 0;
  let yieldedAt = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      if (size > maxBytes) return callback(tooLarge(maxBytes));
      if (size - yieldedAt < BYTES_AT_ONCE) return callback(null, chunk);
      yieldedAt = size;
      return void setImmediate(callback, null, chunk);
    },
  });
}

export function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('TOO_LARGE', `The answer is larger than ${inMegabytes(maxBytes)} MB.`);
}

function inMegabytes(bytes: number): number {
  return Number((bytes / 1e6).toPrecision(2));
}

function unpack(body: Readable, encoding: string | undefined): Readable {
  const unpacker = unpackerOf(encoding?.trim().toLowerCase() ?? '', body);
  // Errors of the body reach the reader of the decompressor, and destroying the decompressor destroys the body.
  return unpacker ? pipeline(body, unpacker, () => undefined) : body;
}

/** Some servers close compressed bodies early. Like browsers, these decompressors then give what has arrived. */
function unpackerOf(encoding: string, body: Readable): Transform | null {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      body.destroy();
      throw new OutboundError('UNREACHABLE', 'The server packs its answer in a way that is not understood.');
  }
}

const unreachable: Readonly<Record<string, string>> = {
  ENOTFOUND: 'There is no server of this name.',
  EAI_AGAIN: 'The name of the server could not be looked up just now.',
  ECONNREFUSED: 'The server refuses the connection.',
  ECONNRESET: 'The server broke off the connection.',
  UND_ERR_SOCKET: 'The server broke off the connection.',
  UND_ERR_HEADERS_OVERFLOW: 'The server sends more headers than are read.',
  Z_DATA_ERROR: 'The answer is damaged.',
  ERR_BROTLI_DECODER_ERROR: 'The answer is damaged.',
};

const certificate = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

/** Translates an error, because messages of the system contain IP addresses. */
export function outboundErrorOf(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return timeout(error);
  const message = certificate.test(code)
    ? 'The certificate of the server is not valid.'
    : (unreachable[code] ?? 'The server cannot be reached.');
  return new OutboundError('UNREACHABLE', message, { cause: error });
}

export function timeout(cause?: unknown): OutboundError {
  return new OutboundError('TIMEOUT', 'The server did not answer in time.', { cause });
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  // When a name has several addresses, each has an error of its own.
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
