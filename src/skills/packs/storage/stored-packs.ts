import type { Clock } from '../../../common/clock.js';
import type { Logger } from '../../../common/process/logger.js';
import type { FileStorage, StoredObject } from '../../../storage/file-storage.js';
import type { Pack, PackFile } from '../../skill.js';
import { describePack, packOf } from '../described-pack.js';
import { isSkillFile, type PackPlace, packsAmong } from '../pack-layout.js';
import {
  inOrder,
  type PackListing,
  type PacksFound,
  type RefusedPack,
  RefreshedListing,
} from '../pack-listing.js';
import { PackReader } from '../pack-reader.js';
import { inShort } from '../skill-md/skill-md.js';
import { contentIn, isStorageKey, PLAIN_NAMES } from './storage-content.js';

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

const foldersAmong = (
  objects: readonly StoredObject[],
): { folders: StoredFolder[]; refused: RefusedPack[] } => {
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
  // What ends with a slash is how some tools write a folder.
  const files = listed.filter(({ path }) => /.\/.*[^/]$/.test(path) && path.split('/').length <= MAX_FOLDERS);
  const places = packsAmong(files);
  if (places.length > MAX_PACKS)
    refused.push({
      path: '',
      reason: `There are more than ${MAX_PACKS} packs: what comes after is left out.`,
    });
  const etags = new Map(files.map(({ path, etag }) => [path, etag]));
  return { folders: places.slice(0, MAX_PACKS).map((place) => toFolder(place, etags)), refused };
};

const toFolder = (place: PackPlace, etags: ReadonlyMap<string, string>): StoredFolder => {
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
};
