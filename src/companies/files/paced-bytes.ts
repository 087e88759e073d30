import { Transform, type TransformCallback } from 'node:stream';

import { fairThread } from '@palabre/async';

/**
 * Passes on the bytes of a body, as fast as the company's share of the thread allows while others are served. Fails
 * after `maxBytes`. Without a company, for the short bodies of strangers, it only counts.
 */
export class PacedBytes extends Transform {
  /** So far. */
  bytes = 0;
  private stopWaiting: () => void = () => undefined;

  constructor(
    private readonly companyId: string | null,
    private readonly maxBytes: number,
    private readonly tooLarge: () => Error,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.maxBytes) return done(this.tooLarge());
    this.push(chunk);
    const { companyId } = this;
    if (companyId === null || fairThread.receive(companyId, chunk.byteLength)) done();
    else this.stopWaiting = fairThread.hold(companyId, done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stopWaiting();
    done(error);
  }
}
