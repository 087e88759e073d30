import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { contentOf, MAX_READ_BYTES } from './described-pack.js';
import { findPackFolders, isWithin, type PackFolder } from './folder-walk.js';
import { type FoundFolders, KeptPacks, type PackClock, type PackLog } from './pack-listing.js';
import { PackRefused } from './pack-refused.js';
import { inShort } from './skill-md.js';

const MAX_AGE_MS = 1000;

/** The packs below a folder. A missing or unreadable folder has no packs, and an entry in `refused`. */
export function folderPacks(directory: string, clock: PackClock, logger: PackLog | null = null): KeptPacks {
  return new KeptPacks(() => find(directory), { maxAgeMs: MAX_AGE_MS, clock, logger });
}

async function find(directory: string): Promise<FoundFolders> {
  try {
    const { folders, refused } = await findPackFolders(directory);
    return { folders: folders.map((folder) => ({ ...folder, content: contentIn(folder) })), refused };
  } catch (error) {
    return {
      folders: [],
      refused: [{ path: '', reason: folderFault((error as NodeJS.ErrnoException).code) }],
    };
  }
}

function folderFault(code: string | undefined): string {
  return code === 'ENOENT'
    ? 'The folder of skills does not exist.'
    : `The folder of skills cannot be read (${String(code)}): check its permissions.`;
}

function contentIn({ directory, skillFile }: PackFolder) {
  return contentOf(skillFile, (path, signal) => readWithin(directory, path, signal));
}

/** Resolves the path again: it may have been replaced by a link since the listing. Null: too large. */
async function readWithin(directory: string, path: string, signal: AbortSignal): Promise<Buffer | null> {
  try {
    const real = await realpath(join(directory, path));
    if (!isWithin(directory, real))
      throw new PackRefused(`The file ${inShort(path)} is a link that leads out of the pack.`);
    return await readFileUpTo(real, MAX_READ_BYTES, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw new PackRefused(`The file ${inShort(path)} is not there any more.`, { cause: error });
  }
}

// Does not follow a link that replaced the file since, and does not wait for a pipe.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file's content. Null: more than `maxBytes`. */
export async function readFileUpTo(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  signal.throwIfAborted();
  await using file = await open(path, FLAGS);
  const facts = await file.stat();
  if (!facts.isFile()) throw new PackRefused('It is no ordinary file.');
  if (facts.size > maxBytes) return null;
  const content = Buffer.alloc(facts.size);
  let bytes = 0;
  while (bytes < content.byteLength) {
    const { bytesRead } = await file.read(content, bytes);
    signal.throwIfAborted();
    // The file was truncated meanwhile.
    if (bytesRead === 0) break;
    bytes += bytesRead;
  }
  return content.subarray(0, bytes);
}
