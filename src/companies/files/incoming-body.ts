import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

import type { FastifyInstance } from 'fastify';

import type { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { PacedBytes } from './paced-bytes.js';
import type { UploadTicket } from './upload-tickets.service.js';

/** A client that sends nothing for this long, while we are ready to read, is disconnected. */
export const IDLE_MS = 30_000;

/** How much of a refused body is read and dropped, so that the client gets to see the refusal. */
const MAX_DRAINED_BYTES = 8 * 1024 * 1024;
const MAX_DRAIN_MS = 10_000;

export class ClientDisconnected extends Error {
  override readonly name = 'ClientLeft';
}

/** The body of a request as a stream with back-pressure, a size limit, a pace and an idle timeout. */
export class IncomingBody implements Disposable {
  /** Fails with PAYLOAD_TOO_LARGE after `maxBytes`, and with ClientDisconnected. */
  readonly content: Readable;
  /** Why `content` failed; null: it has not failed. */
  failure: Error | null = null;
  private readonly limited: PacedBytes;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    { companyId, maxBytes }: Pick<UploadTicket, 'companyId' | 'maxBytes'>,
    private readonly clock: Clock,
  ) {
    const limited = new PacedBytes(companyId, maxBytes, () => this.fail(tooLarge(maxBytes)));
    // Without a listener, an error while nobody reads the stream would end the process.
    limited.on('error', () => undefined);
    this.limited = limited;
    this.content = limited;
    request.once('close', () => {
      if (!request.complete) limited.destroy(this.fail(new ClientDisconnected('The client has left.')));
    });
    // pipe() does not destroy its source on errors, as pipeline() does: that would close the connection.
    request.pipe(limited);
    this.watch(0);
  }

  [Symbol.dispose](): void {
    this.stopWatching();
    this.request.unpipe();
    this.content.destroy();
  }

  private fail(failure: Error): Error {
    this.failure ??= failure;
    return failure;
  }

  /** Checks every IDLE_MS whether bytes have arrived. */
  private watch(before: number): void {
    this.stopWatching = this.clock.after(IDLE_MS, () => {
      const isReading = !this.request.complete && !this.request.isPaused();
      if (isReading && this.limited.bytes === before) this.request.destroy();
      else this.watch(this.limited.bytes);
    });
  }
}

/** Throws PAYLOAD_TOO_LARGE when the Content-Length is too large. */
export function checkLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Throws BAD_USER_INPUT for a multipart form: its parts would be stored as if they were the file. */
export function checkNoForm({ headers }: IncomingMessage): void {
  if (/^\s*multipart\/form-data\s*;.*boundary=/i.test(headers['content-type'] ?? ''))
    throw new DomainError('BAD_USER_INPUT', 'Send the bytes of the file as they are, not in a form.');
}

/**
 * Reads and drops the rest of a request, up to a limit of bytes and time: a client that is still sending may otherwise
 * see a broken connection instead of our answer. Gives whether the whole request has arrived.
 */
export async function drainRequest(
  request: IncomingMessage,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted || request.destroyed || request.readableEnded) return request.complete;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  let left = MAX_DRAINED_BYTES;
  const count = (chunk: Buffer): void => {
    left -= chunk.byteLength;
    if (left < 0) resolve();
  };
  const stop = clock.after(MAX_DRAIN_MS, resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  request.on('data', count).once('end', resolve).once('close', resolve).resume();
  await promise;
  stop();
  signal.removeEventListener('abort', onAbort);
  request.off('data', count).pause();
  return request.readableEnded;
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `The file may have at most ${maxBytes} bytes.`, {
    limit: maxBytes,
  });
}

const ANSWER = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** How long an upload over a slow connection may take: as long as its ticket is valid. */
export const MAX_UPLOAD_MS = 15 * 60 * 1000;

/** Ends requests that have not arrived completely after `timeoutMs`. Uploads have an idle timeout instead. */
export function endSlowRequests(fastify: FastifyInstance, timeoutMs: number): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { raw, routeOptions } = request;
    if (!routeOptions.url?.startsWith('/uploads/')) {
      const timer = setTimeout(() => {
        if (!raw.complete) raw.socket.end(ANSWER, () => raw.socket.destroy());
      }, timeoutMs);
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
