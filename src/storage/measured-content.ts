import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';

import { FileTooLarge, type Measured, type WriteOptions } from './file-storage.js';

/** Content on its way into a storage: it can be gone through once, and is measured meanwhile. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  private readonly hash = createHash('sha256');
  private readonly source: Readable;
  private bytes = 0;

  constructor(
    content: Readable | Uint8Array,
    private readonly options: Pick<WriteOptions, 'maxBytes' | 'signal'>,
  ) {
    // Not Readable.from(content): it would go through an array's bytes one by one.
    this.source = content instanceof Uint8Array ? Readable.from([content], { objectMode: true }) : content;
  }

  /** Throws FileTooLarge, and the signal's reason. The source is destroyed, however it ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const { maxBytes, signal } = this.options;
    try {
      if (signal) addAbortSignal(signal, this.source);
      for await (const chunk of this.source) {
        const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        this.bytes += bytes.byteLength;
        if (this.bytes > maxBytes) throw new FileTooLarge(`There are more than ${maxBytes} bytes.`);
        this.hash.update(bytes);
        yield bytes;
      }
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      this.source.destroy();
    }
  }

  /** To be asked for once, at the end. */
  measure(): Measured {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
