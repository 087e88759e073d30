import type { Readable } from 'node:stream';

/** A file as the storage has it. */
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

/** What was written. */
export interface Measured {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/**
 * Where files are kept, on disk or in a bucket. Keys are paths of letters, digits, `.`, `-`, `_` and `/`, without
 * `..`, and none is the folder of another; whoever stores makes them, never a user. Rejects with UNAVAILABLE while a
 * bucket cannot be reached, or a disk takes nothing. The class is both the type and the injection token.
 */
export abstract class FileStorage {
  /**
   * Stores a file, in the place of the one that was there. What is read while it is written is the old one; one that
   * breaks off leaves nothing. Rejects with FileTooLarge as soon as more than `maxBytes` have come. A stream is
   * destroyed in the end, whatever becomes of it.
   */
  abstract write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured>;

  /** The bytes, as a stream that has to be read or destroyed. Rejects with FileNotFound. */
  abstract read(key: string, signal?: AbortSignal): Promise<Readable>;

  /** What is below a folder such as `skills/`, at any depth, by key; at most `limit`. */
  abstract list(folder: string, limit: number): Promise<StoredObject[]>;

  /** What is not there is removed already. */
  abstract remove(key: string): Promise<void>;

  /** Everything below a folder. */
  abstract removeAll(folder: string): Promise<void>;
}

export class FileNotFound extends Error {
  override readonly name = 'FileNotFound';
}

export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}
