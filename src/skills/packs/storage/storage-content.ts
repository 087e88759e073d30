import { FileNotFound, type FileStorage } from '../../../storage/file-storage.js';
import { checkKey } from '../../../storage/storage-key.js';
import { checkSkillMdSize, inMegabytes, MAX_READ_BYTES, type PackContent } from '../described-pack.js';
import { readStreamUpTo } from '../folders/limited-read.js';
import { PackRefused } from '../pack-refused.js';
import { inShort } from '../skill-md/skill-md.js';

/** What the storage asks of names, in words for whoever puts files into a bucket. */
export const PLAIN_NAMES =
  'in a storage, names of files and folders may have the letters A to Z, digits, dots, hyphens and underscores alone.';

/** Where in the storage a pack's files are. */
export interface PackKeys {
  skillMd: string;
  /** Of one of its files. */
  keyOf(path: string): string;
}

export const contentIn = (storage: FileStorage, keys: PackKeys): PackContent => ({
  skillMd: async (signal) => {
    const content = await readUpTo(storage, keys.skillMd, 'SKILL.md', signal);
    checkSkillMdSize(content?.byteLength ?? Infinity);
    return content ?? Buffer.alloc(0);
  },
  file: async (path, signal) => {
    const content = await readUpTo(storage, keys.keyOf(path), path, signal);
    if (content) return content;
    throw new PackRefused(`The file ${inShort(path)} is larger than ${inMegabytes(MAX_READ_BYTES)}.`);
  },
});

/** Null: too large. */
const readUpTo = async (
  storage: FileStorage,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | null> => {
  if (!isStorageKey(key)) throw new PackRefused(`The file ${inShort(path)} cannot be read: ${PLAIN_NAMES}`);
  try {
    return await readStreamUpTo(await storage.read(key, signal), MAX_READ_BYTES);
  } catch (error) {
    if (!(error instanceof FileNotFound)) throw error;
    throw new PackRefused(`The file ${inShort(path)} is not there any more.`, { cause: error });
  }
};

export const isStorageKey = (key: string): boolean => {
  try {
    checkKey(key);
    return true;
  } catch {
    return false;
  }
};
