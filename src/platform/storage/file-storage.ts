import { createHash } from 'node:crypto';
import { Readable, addAbortSignal } from 'node:stream';

export interface StoredObject {
  key: string;
  bytes: number;
  /** Changes whenever the content does. */
  etag: string;
}

export interface WriteOptions {
  mediaType: string;
  maxBytes: number;
  signal?: AbortSignal;
}

export interface Measured {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/**
 * Stores files on disk or in a bucket. Keys are paths of letters, digits, `.`, `-`, `_` and `/`, without `..`, and no key
 * is the folder of another. Our code makes them, never a user. Methods reject with UNAVAILABLE while the bucket cannot be
 * reached or the disk cannot be written. The class is both the type and the injection token.
 */
export abstract class FileStorage {
  /**
   * Stores or replaces a file, atomically: readers see the old content until the write has succeeded. Rejects with
   * FileTooLarge as soon as there are more than `maxBytes`. A stream is always destroyed at the end.
   */
  abstract write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured>;

  /** A stream of the bytes, which must be read or destroyed. Rejects with FileNotFound. */
  abstract read(key: string, signal?: AbortSignal): Promise<Readable>;

  /** Files below a folder such as `skills/`, at any depth, in the order of their keys. */
  abstract list(folder: string, limit: number): Promise<StoredObject[]>;

  /** Does nothing when there is no such file. */
  abstract remove(key: string): Promise<void>;

  /** Removes everything below a folder. */
  abstract removeAll(folder: string): Promise<void>;

  /**
   * Removes what processes that died had half written. Called every hour. Buckets need a rule of their own:
   * docs/operations.md.
   */
  async removeAbandoned(): Promise<void> {}
}

/** All bytes of a stream. `buffer` of node:stream/consumers copies them three times. */
export async function bytesOf(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}

export class FileNotFound extends Error {
  override readonly name = 'FileNotFound';
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

/** Content that is being stored. It can be iterated once, and is measured meanwhile. */
export class MeasuredContent implements AsyncIterable<Uint8Array> {
  private readonly hash = createHash('sha256');
  private readonly source: Readable;
  private bytes = 0;

  constructor(
    content: Readable | Uint8Array,
    private readonly options: Pick<WriteOptions, 'maxBytes' | 'signal'>,
  ) {
    // Not Readable.from(content), which would emit the bytes of an array one by one.
    this.source = content instanceof Uint8Array ? Readable.from([content], { objectMode: true }) : content;
  }

  /** Throws FileTooLarge, or the signal's reason. Always destroys the source. */
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

  /** Call it once, at the end. */
  measure(): Measured {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

const KEY_SEGMENT = /^[\w.-]{1,200}$/;

/** S3 keys have at most 1024 bytes, of which the operator's prefix may take 500. */
const MAX_KEY_LENGTH = 500;

/** Whether it is a safe path, on a disk and in a bucket. */
export function isKey(key: string): boolean {
  return (
    key.length <= MAX_KEY_LENGTH &&
    key.split('/').every((segment) => KEY_SEGMENT.test(segment) && segment !== '.' && segment !== '..')
  );
}

/** Throws unless it is a valid key. */
export function checkKey(key: string): void {
  if (!isKey(key))
    throw new Error(`This is not a key of the file storage: ${JSON.stringify(key.slice(0, 200))}`);
}

/** Throws unless it is a valid key followed by `/`. */
export function checkFolder(folder: string): void {
  if (!folder.endsWith('/')) throw new Error('A folder of the file storage ends with a slash.');
  checkKey(folder.slice(0, -1));
}
