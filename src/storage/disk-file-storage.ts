import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';

import { DAY_MS } from '../common/clock.js';
import { DomainError } from '../common/errors/domain-error.js';
import { codeOf } from '../common/errors/error-code.js';
import {
  FileNotFound,
  FileStorage,
  type Measured,
  type StoredObject,
  type WriteOptions,
} from './file-storage.js';
import { MeasuredContent } from './measured-content.js';
import { checkFolder, checkKey, isKey } from './storage-key.js';

/** No key has a tilde in it. */
const DRAFTS = '~drafts';
/** No file is written for so long: its process is gone. */
const OLDEST_DRAFT_MS = DAY_MS;

/** How often a folder may be removed by somebody else before what is written into it has its place. */
const MAX_PLACINGS = 5;

/** What the system says of a disk that has no room, may not be written to, or is away. */
const TAKES_NOTHING: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ESTALE',
  'EMFILE',
  'ENFILE',
]);

/** Keeps files below a folder, which several processes may share. */
export class DiskFileStorage extends FileStorage {
  private constructor(private readonly root: string) {
    super();
  }

  /** Clears away what processes that were ended have left half written. The folder is made by whoever writes first. */
  static async open(root: string): Promise<DiskFileStorage> {
    const drafts = join(root, DRAFTS);
    for (const name of (await unlessAbsent(readdir(drafts))) ?? []) {
      const draft = join(drafts, name);
      const found = await unlessAbsent(stat(draft));
      if (found && found.mtimeMs < Date.now() - OLDEST_DRAFT_MS) await rm(draft, { force: true });
    }
    return new DiskFileStorage(root);
  }

  /** Rejects with the system's own error where nothing can be stored, as on a disk that is mounted to be read alone. */
  async check(): Promise<void> {
    await mkdir(join(this.root, DRAFTS), { recursive: true, mode: 0o700 });
    const draft = join(this.root, DRAFTS, randomUUID());
    await writeFile(draft, '');
    await rm(draft, { force: true });
  }

  async write(key: string, content: Readable | Uint8Array, options: WriteOptions): Promise<Measured> {
    const path = this.pathOf(key);
    const draft = join(this.root, DRAFTS, randomUUID());
    const measured = new MeasuredContent(content, options);
    try {
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
      await writeDurably(draft, measured);
      options.signal?.throwIfAborted();
      await place(draft, path);
    } catch (error) {
      throw TAKES_NOTHING.has(String(codeOf(error))) ? unavailable(error) : error;
    } finally {
      await rm(draft, { force: true });
    }
    return measured.measure();
  }

  async read(key: string, signal?: AbortSignal): Promise<Readable> {
    const path = this.pathOf(key);
    signal?.throwIfAborted();
    const file = await unlessAbsent(open(path));
    if (!file) throw new FileNotFound(`There is no file ${key}.`);
    if (!(await file.stat()).isFile()) {
      await file.close();
      throw new FileNotFound(`There is no file ${key}.`);
    }
    const content = file.createReadStream();
    return signal ? addAbortSignal(signal, content) : content;
  }

  async list(folder: string, limit: number): Promise<StoredObject[]> {
    checkFolder(folder);
    const listed: StoredObject[] = [];
    if (limit <= 0) return listed;
    for await (const key of this.keysBelow(folder)) {
      // People may have put a file there that cannot be called by a key, or have removed one meanwhile.
      const found = isKey(key) ? await this.find(key) : null;
      if (found) listed.push(found);
      if (listed.length >= limit) break;
    }
    return listed;
  }

  async remove(key: string): Promise<void> {
    if (await this.find(key)) await rm(this.pathOf(key), { force: true });
  }

  async removeAll(folder: string): Promise<void> {
    checkFolder(folder);
    await rm(join(this.root, folder), { recursive: true, force: true });
  }

  private async find(key: string): Promise<StoredObject | null> {
    const found = await unlessAbsent(stat(this.pathOf(key), { bigint: true }));
    if (!found?.isFile()) return null;
    return {
      key,
      bytes: Number(found.size),
      // A file is never written to in its place: other content is another file.
      etag: [found.ino, found.mtimeNs, found.size].map((part) => part.toString(36)).join('-'),
    };
  }

  private pathOf(key: string): string {
    checkKey(key);
    return join(this.root, key);
  }

  /** In the order of the keys, in which a folder comes where its name with a slash would. */
  private async *keysBelow(folder: string): AsyncGenerator<string> {
    const entries = (await unlessAbsent(readdir(join(this.root, folder), { withFileTypes: true }))) ?? [];
    const names = entries.flatMap(nameOf).toSorted((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      if (name.endsWith('/')) yield* this.keysBelow(`${folder}${name}`);
      else yield `${folder}${name}`;
    }
  }
}

const unavailable = (cause: unknown): DomainError =>
  new DomainError('UNAVAILABLE', 'The file storage takes nothing just now. Please try again.', {}, { cause });

/** What is neither file nor folder was not put there by us. */
const nameOf = (entry: Dirent): string[] => {
  if (entry.isDirectory()) return [`${entry.name}/`];
  return entry.isFile() ? [entry.name] : [];
};

const writeDurably = async (path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
};

/** Puts a draft where it belongs, whole, in the place of what was there. */
const place = async (draft: string, path: string): Promise<void> => {
  const folder = dirname(path);
  for (let placings = 1; ; placings += 1) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await rename(draft, path);
      break;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || placings >= MAX_PLACINGS) throw error;
    }
  }
  await unlessAbsent(syncFolder(folder));
};

/** A new name is on the disk when its folder is. Windows opens no folders. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
};

const unlessAbsent = async <T>(found: Promise<T>): Promise<T | null> => {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return null;
    throw error;
  }
};
