import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/process/logger.js';
import {
  type FileStorage,
  type StoredObject,
  FileNotFound,
  checkKey,
} from '../../platform/storage/file-storage.js';
import type { Pack, PackFile } from '../skill.js';
import {
  describePack,
  packOf,
  checkSkillMdSize,
  inMegabytes,
  MAX_READ_BYTES,
  type PackContent,
} from './described-pack.js';
import { isSkillFile, type PackPlace, findPacks } from './pack-layout.js';
import {
  inOrder,
  type PackListing,
  type PacksFound,
  type RefusedPack,
  RefreshedListing,
  PackReader,
} from './pack-listing.js';
import { inShort } from './skill-md.js';
import { readStreamUpTo } from './limited-read.js';
import { PackRefused } from './pack-refused.js';

/** Where in the storage an operator puts packs for the whole installation. */
const FOLDER = 'skills/';

const MAX_AGE_MS = 30_000;
const MAX_OBJECTS = 10_000;
const MAX_PACKS = 2000;
const MAX_FOLDERS = 20;
const READ_TIMEOUT_MS = 10_000;

const AT_TOP = 'It stands at the top: put it into a folder of its own, called as the skill is.';

interface StoredFolder extends PackPlace {
  stamp: string;
}

/** The packs that lie below `skills/` of the file storage, such as a bucket; looked up at most twice a minute. */
export class StoredPacks {
  private readonly listing: RefreshedListing;
  private readonly reader = new PackReader((folder: StoredFolder) => this.read(folder));

  constructor(
    private readonly storage: FileStorage,
    clock: Clock,
    logger: Pick<Logger, 'warn'> | null = null,
  ) {
    this.listing = new RefreshedListing(() => this.find(), {
      maxAgeMs: MAX_AGE_MS,
      clock,
      logger,
    });
  }

  /** Never rejects: while the storage is away, the last listing is in force. */
  current(): Promise<PackListing> {
    return this.listing.current();
  }

  private async find(): Promise<PacksFound> {
    const { folders, refused } = foldersAmong(await this.storage.list(FOLDER, MAX_OBJECTS + 1));
    const read = await this.reader.readAll(folders);
    return inOrder(read.packs, [...refused, ...read.refused]);
  }

  /** Rejects with another error than PackRefused while the storage is away: that is no fault of the pack. */
  private async read({ folder, skillFile, files, oddities, stamp }: StoredFolder): Promise<Pack> {
    const content = contentIn(this.storage, {
      skillMd: `${FOLDER}${skillFile}`,
      keyOf: (path) => `${FOLDER}${folder}/${path}`,
    });
    const skillMd = await content.skillMd(AbortSignal.timeout(READ_TIMEOUT_MS));
    return packOf(describePack(folder, skillMd, files, oddities), content, stamp);
  }
}

function foldersAmong(objects: readonly StoredObject[]): { folders: StoredFolder[]; refused: RefusedPack[] } {
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
      .map(({ path }) => `The file ${inShort(path)} is left out: ${PLAIN_NAMES}`),
  ];
  const paths = [place.skillFile, ...place.files.map(({ path }) => `${place.folder}/${path}`)];
  return {
    ...place,
    files,
    oddities,
    stamp: [...paths.map((path) => `${path} ${etags.get(path) ?? ''}`), ...oddities].join('\n'),
  };
}

/** The storage's rule for names, in words for the operator who puts files into a bucket. */
const PLAIN_NAMES =
  'in a storage, names of files and folders may have the letters A to Z, digits, dots, hyphens and underscores alone.';

/** Where in the storage a pack's files are. */
export interface PackKeys {
  skillMd: string;
  /** Of one of its files. */
  keyOf(path: string): string;
}

export function contentIn(storage: FileStorage, keys: PackKeys): PackContent {
  return {
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
  };
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
    return await readStreamUpTo(await storage.read(key, signal), MAX_READ_BYTES);
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
