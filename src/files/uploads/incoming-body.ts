import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';

import type { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';

/** A client that sends nothing for so long while it is waited for has gone. */
export const IDLE_MS = 30_000;

/** How much is read, and not looked at, for the sake of a client that is to see its refusal. */
const MAX_SPILT_BYTES = 8 * 1024 * 1024;
const MAX_SPILLING_MS = 10_000;

export class ClientLeft extends Error {
  override readonly name = 'ClientLeft';
}

/** The body of a request, read as it comes and no faster than it is taken in. */
export class IncomingBody implements Disposable {
  /** Fails with PAYLOAD_TOO_LARGE after `maxBytes`, and with ClientLeft. */
  readonly content: Readable;
  /** Why `content` failed by itself; null: it has not. */
  failure: Error | null = null;
  private bytes = 0;
  private stopWatching: () => void = () => undefined;

  constructor(
    private readonly request: IncomingMessage,
    maxBytes: number,
    private readonly clock: Clock,
  ) {
    const limited = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.bytes += chunk.byteLength;
        if (this.bytes > maxBytes) done(this.fail(tooLarge(maxBytes)));
        else done(null, chunk);
      },
    });
    // Whoever reads it is told. Where nobody does, an error that nobody hears would end the process.
    limited.on('error', () => undefined);
    this.content = limited;
    request.once('close', () => {
      if (!request.complete) limited.destroy(this.fail(new ClientLeft('The client has left.')));
    });
    // A pipe does not destroy what it reads from, which would take the connection with it.
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

  /** Looks again and again whether anything has come since. */
  private watch(before: number): void {
    this.stopWatching = this.clock.after(IDLE_MS, () => {
      const isWaitedFor = !this.request.complete && !this.request.isPaused();
      if (isWaitedFor && this.bytes === before) this.request.destroy();
      else this.watch(this.bytes);
    });
  }
}

/** Rejects with PAYLOAD_TOO_LARGE when the client says beforehand that it sends too much. */
export const checkLength = ({ headers }: IncomingMessage, maxBytes: number): void => {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
};

/** Rejects with BAD_USER_INPUT when the file comes in a form, whose parts nobody takes out. */
export const checkNoForm = ({ headers }: IncomingMessage): void => {
  if (/^\s*multipart\/form-data\s*;.*boundary=/i.test(headers['content-type'] ?? ''))
    throw new DomainError('BAD_USER_INPUT', 'Send the bytes of the file as they are, not in a form.');
};

/**
 * Reads what is still to come of a request, up to a limit: a client in the middle of sending sees a broken connection
 * in the place of an answer. Gives whether all of it has come by then, or by when `signal` is aborted.
 */
export const spill = async (
  request: IncomingMessage,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> => {
  if (signal.aborted || request.destroyed || request.readableEnded) return request.complete;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  let left = MAX_SPILT_BYTES;
  const count = (chunk: Buffer): void => {
    left -= chunk.byteLength;
    if (left < 0) resolve();
  };
  const stop = clock.after(MAX_SPILLING_MS, resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  request.on('data', count).once('end', resolve).once('close', resolve).resume();
  await promise;
  stop();
  signal.removeEventListener('abort', onAbort);
  request.off('data', count).pause();
  return request.readableEnded;
};

const tooLarge = (maxBytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `The file may have at most ${maxBytes} bytes.`, { limit: maxBytes });
