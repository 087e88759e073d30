import type { Readable } from 'node:stream';
import {
  AT_TOP,
  contentOf,
  findPacks,
  inShort,
  isSkillFile,
  keyOfRemark,
  type KeptFolder,
  KeptPacks,
  MAX_READ_BYTES,
  nameOf,
  type PackContent,
  type PackFile,
  type PackPlace,
  PackRefused,
  packRemark,
  type RefusedPack,
} from '@palabre/skill-pack';

import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/process/logger.js';
import {
  checkKey,
  FileNotFound,
  type FileStorage,
  type StoredObject,
} from '../../platform/storage/file-storage.js';

/** The storage folder for the operator's packs. */
const FOLDER = 'skills/';

const MAX_AGE_MS = 30_000;
const MAX_OBJECTS = 10_000;
const MAX_PACKS = 2000;
const MAX_FOLDERS = 20;

type StoredFolder = Omit<KeptFolder, 'content'> & PackPlace;

/** The packs below `skills/` of the file storage, such as a bucket; looked up at most twice a minute. */
export function storedPacks(
  storage: FileStorage,
  clock: Clock,
  logger: Pick<Logger, 'warn'> | null = null,
): KeptPacks {
  const find = async () => {
    const { folders, refused } = foldersIn(await storage.list(FOLDER, MAX_OBJECTS + 1));
    return { folders: folders.map((each) => ({ ...each, content: contentBelow(storage, each) })), refused };
  };
  return new KeptPacks(find, { maxAgeMs: MAX_AGE_MS, clock, logger });
}

function contentBelow(storage: FileStorage, { folder, skillFile }: StoredFolder): PackContent {
  return storedContent(storage, nameOf(skillFile), (path) => `${FOLDER}${folder}/${path}`);
}

function foldersIn(objects: readonly StoredObject[]): { folders: StoredFolder[]; refused: RefusedPack[] } {
  const refused: RefusedPack[] = [];
  const listed = objects
    .slice(0, MAX_OBJECTS)
    .map((object) => ({ ...object, path: object.key.slice(FOLDER.length) }));
  if (objects.length > MAX_OBJECTS)
    refused.push({
      path: '',
      reason: `There are more than ${MAX_OBJECTS} files: what comes after is left out.`,
    });
  for (const { path } of listed) if (isSkillFile(path)) refused.push({ path, reason: AT_TOP });
  // Some tools store a folder as an object whose key ends with a slash.
  const files = listed.filter(({ path }) => /.\/.*[^/]$/.test(path) && path.split('/').length <= MAX_FOLDERS);
  const places = findPacks(files);
  if (places.length > MAX_PACKS)
    refused.push({
      path: '',
      reason: `There are more than ${MAX_PACKS} packs: what comes after is left out.`,
    });
  const etags = new Map(files.map(({ path, etag }) => [path, etag]));
  return { folders: places.slice(0, MAX_PACKS).map((place) => toFolder(place, etags)), refused };
}

function toFolder(place: PackPlace, etags: ReadonlyMap<string, string>): StoredFolder {
  const isReadable = ({ path }: PackFile): boolean => isStorageKey(`${FOLDER}${place.folder}/${path}`);
  const files = place.files.filter(isReadable);
  const oddities = [
    ...place.oddities,
    ...place.files
      .filter((file) => !isReadable(file))
      .slice(0, 10)
      .map(({ path }) => packRemark('FILE_NAME_NOT_PLAIN', { path: inShort(path) })),
  ];
  const paths = [place.skillFile, ...place.files.map(({ path }) => `${place.folder}/${path}`)];
  return {
    ...place,
    files,
    oddities,
    stamp: [...paths.map((path) => `${path} ${etags.get(path) ?? ''}`), ...oddities.map(keyOfRemark)].join(
      '\n',
    ),
  };
}

/** The storage's rule for names, in words for the operator who puts files into a bucket. */
const PLAIN_NAMES =
  'in a storage, names of files and folders may have the letters A to Z, digits, dots, hyphens and underscores alone.';

/** A pack's content in the storage. `keyOf` gives the key of a file. */
export function storedContent(
  storage: FileStorage,
  skillFile: string,
  keyOf: (path: string) => string,
): PackContent {
  return contentOf(skillFile, (path, signal) => readUpTo(storage, keyOf(path), path, signal));
}

/** Null: too large. */
async function readUpTo(
  storage: FileStorage,
  key: string,
  path: string,
  signal: AbortSignal,
): Promise<Buffer | null> {
  if (!isStorageKey(key)) throw new PackRefused(`The file ${inShort(path)} cannot be read: ${PLAIN_NAMES}`);
  try {
    return await bufferUpTo(await storage.read(key, signal), MAX_READ_BYTES);
  } catch (error) {
    if (!(error instanceof FileNotFound)) throw error;
    throw new PackRefused(`The file ${inShort(path)} is not there any more.`, { cause: error });
  }
}

function isStorageKey(key: string): boolean {
  try {
    checkKey(key);
    return true;
  } catch {
    return false;
  }
}

/** Null: more than `maxBytes`. The stream is destroyed then. */
async function bufferUpTo(stream: Readable, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return null;
  }
  return Buffer.concat(chunks);
}
