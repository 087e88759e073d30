import { createHash } from 'node:crypto';
import { addAbortSignal, Readable } from 'node:stream';

import {
  FileNotFound,
  FileStorage,
  type Measured,
  type StoredObject,
  type WriteOptions,
  MeasuredContent,
  checkFolder,
  checkKey,
} from './file-storage.js';

/** Keeps files in memory, for tests. */
export class MemoryFileStorage extends FileStorage {
  private readonly files = new Map<string, Buffer>();

  /** The keys of all files, sorted. */
  get keys(): string[] {
    return [...this.files.keys()].toSorted();
  }

  async write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured> {
    checkKey(key);
    const measured = new MeasuredContent(content, options);
    const chunks: Uint8Array[] = [];
    for await (const chunk of measured) chunks.push(chunk);
    this.files.set(key, Buffer.concat(chunks));
    return measured.measure();
  }

  async read(key: string, signal?: AbortSignal): Promise<Readable> {
    checkKey(key);
    signal?.throwIfAborted();
    const file = this.files.get(key);
    if (!file) throw new FileNotFound(`There is no file ${key}.`);
    const content = Readable.from([file], { objectMode: false });
    return signal ? addAbortSignal(signal, content) : content;
  }

  async list(folder: string, limit: number): Promise<StoredObject[]> {
    checkFolder(folder);
    return [...this.files]
      .filter(([key]) => key.startsWith(folder))
      .map(([key, file]) => toObject(key, file))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .slice(0, limit);
  }

  async remove(key: string): Promise<void> {
    checkKey(key);
    this.files.delete(key);
  }

  async removeAll(folder: string): Promise<void> {
    checkFolder(folder);
    for (const key of this.files.keys()) if (key.startsWith(folder)) this.files.delete(key);
  }
}

function toObject(key: string, content: Buffer): StoredObject {
  return {
    key,
    bytes: content.byteLength,
    etag: createHash('sha256').update(content).digest('hex'),
  };
}
