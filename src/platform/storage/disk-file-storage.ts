import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { retry } from '@palabre/async';

import { HOUR_MS } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { codeOf } from '../../common/errors/error-code.js';
import {
  FileNotFound,
  FileStorage,
  type Measured,
  type StoredObject,
  type WriteOptions,
  MeasuredContent,
  checkFolder,
  checkKey,
  isKey,
} from './file-storage.js';

/** Keys cannot contain a tilde. */
const DRAFTS = '~drafts';
/** A live process writes to its draft more often than this: uploads that pause for half a minute are ended. */
const MAX_DRAFT_PAUSE_MS = HOUR_MS;

/** Tries to move a draft to its place: another process may remove the folder at the same time. */
const MAX_MOVES = 5;

/** Error codes of a disk that is full, read-only or disconnected. */
const DISK_FAILURES: ReadonlySet<string> = new Set([
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

/** Stores files in a folder, which several processes may share. */
export class DiskFileStorage extends FileStorage {
  /** The first write creates the folder. */
  constructor(private readonly root: string) {
    super();
  }

  /** Rejects with the system's error when nothing can be stored, for example on a read-only disk. */
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
      await moveToPlace(draft, path);
    } catch (error) {
      throw DISK_FAILURES.has(String(codeOf(error))) ? unavailable(error) : error;
    } finally {
      await rm(draft, { force: true });
    }
    return measured.measure();
  }

  async read(key: string, signal?: AbortSignal): Promise<Readable> {
    const path = this.pathOf(key);
    signal?.throwIfAborted();
    const file = await nullIfAbsent(open(path));
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
      // Files that people put there may not have a valid key, and a file may be removed meanwhile.
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

  override async removeAbandoned(): Promise<void> {
    const drafts = join(this.root, DRAFTS);
    for (const name of (await nullIfAbsent(readdir(drafts))) ?? []) {
      const draft = join(drafts, name);
      const found = await nullIfAbsent(stat(draft));
      if (found && found.mtimeMs < Date.now() - MAX_DRAFT_PAUSE_MS) await rm(draft, { force: true });
    }
  }

  private async find(key: string): Promise<StoredObject | null> {
    const found = await nullIfAbsent(stat(this.pathOf(key), { bigint: true }));
    if (!found?.isFile()) return null;
    return {
      key,
      bytes: Number(found.size),
      // Files are replaced and never changed in place, so new content has another inode.
      etag: [found.ino, found.mtimeNs, found.size].map((part) => part.toString(36)).join('-'),
    };
  }

  private pathOf(key: string): string {
    checkKey(key);
    return join(this.root, key);
  }

  /** In the order of the keys: a folder is sorted by its name with a slash. */
  private async *keysBelow(folder: string): AsyncGenerator<string> {
    const entries = (await nullIfAbsent(readdir(join(this.root, folder), { withFileTypes: true }))) ?? [];
    const names = entries.flatMap(nameOf).toSorted((a, b) => (a < b ? -1 : 1));
    for (const name of names) {
      if (name.endsWith('/')) yield* this.keysBelow(`${folder}${name}`);
      else yield `${folder}${name}`;
    }
  }
}

function unavailable(cause: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    'The file storage takes nothing just now. Please try again.',
    {},
    { cause },
  );
}

/** Ignores entries that are neither files nor folders: they are not ours. */
function nameOf(entry: Dirent): string[] {
  if (entry.isDirectory()) return [`${entry.name}/`];
  return entry.isFile() ? [entry.name] : [];
}

export async function writeDurably(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(content);
  await file.sync();
}

/** Moves a draft to its place, atomically, and replaces the old file. */
async function moveToPlace(draft: string, path: string): Promise<void> {
  const folder = dirname(path);
  const move = async (): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(draft, path);
  };
  await retry(move, (error, moves) => (codeOf(error) === 'ENOENT' && moves < MAX_MOVES ? 0 : null));
  await nullIfAbsent(syncFolder(folder));
}

/** A rename is durable once the folder is synced. Windows cannot open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder);
  await handle.sync();
}

async function nullIfAbsent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String(codeOf(error)))) return null;
    throw error;
  }
}
