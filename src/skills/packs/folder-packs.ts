import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import type { Clock } from '../../common/clock.js';
import { codeOf } from '../../common/errors/error-code.js';
import type { Logger } from '../../common/process/logger.js';
import type { Pack } from '../skill.js';
import {
  checkSkillMdSize,
  describePack,
  inMegabytes,
  MAX_READ_BYTES,
  type PackContent,
  packOf,
} from './described-pack.js';
import { type PackFolder, PackSearch, type WalkResult } from './folder-walk.js';
import { isWithin } from './pack-files.js';
import { readFileUpTo } from './limited-read.js';
import { inOrder, type PackListing, type PacksFound, RefreshedListing, PackReader } from './pack-listing.js';
import { PackRefused, PackUnread } from './pack-refused.js';
import { inShort } from './skill-md.js';

const MAX_AGE_MS = 1000;

/** How often everything is looked at closely. */
const CLOSELY_EVERY_MS = 30_000;

/** A disk that does not answer must not hold up those who wait for the listing. */
const READ_TIMEOUT_MS = 10_000;

/**
 * The packs below a folder. A changed, new or removed file is seen by whoever asks a second later (the size of
 * a reference that was changed in its place, half a minute later); what has not changed is not read again. There is no
 * watcher: they are not to be relied on over networks and mounted volumes.
 */
export class FolderPacks {
  private readonly listing: RefreshedListing;
  private readonly reader = new PackReader(read);
  private readonly search: PackSearch;
  private closelyAtMs = -Infinity;

  constructor(
    directory: string,
    private readonly clock: Clock,
    logger: Pick<Logger, 'warn'> | null = null,
  ) {
    this.search = new PackSearch(directory);
    this.listing = new RefreshedListing(() => this.find(), {
      maxAgeMs: MAX_AGE_MS,
      clock,
      logger,
    });
  }

  /** Never rejects: a folder that is missing or cannot be read has no packs, and `refused` says so. */
  current(): Promise<PackListing> {
    return this.listing.current();
  }

  private async find(): Promise<PacksFound> {
    const nowMs = this.clock.now().getTime();
    const isClose = nowMs >= this.closelyAtMs;
    if (isClose) this.closelyAtMs = nowMs + CLOSELY_EVERY_MS;
    let walked: WalkResult;
    try {
      walked = await this.search.run(isClose);
    } catch (error) {
      return { packs: [], refused: [{ path: '', reason: folderFault(codeOf(error)) }] };
    }
    const { packs, refused } = await this.reader.readAll(walked.folders);
    return inOrder(packs, [...walked.refused, ...refused]);
  }
}

function folderFault(code: unknown): string {
  return code === 'ENOENT'
    ? 'The folder of skills does not exist.'
    : `The folder of skills cannot be read (${String(code)}): check its permissions.`;
}

async function read(folder: PackFolder): Promise<Pack> {
  const content = contentOf(folder);
  let skillMd: Buffer | null = null;
  try {
    skillMd = await content.skillMd(AbortSignal.timeout(READ_TIMEOUT_MS));
    return packOf(describePack(folder.folder, skillMd, folder.files, folder.oddities), content, folder.stamp);
  } catch (error) {
    // An error of the system is temporary; a fault in the file lasts until its stamp changes.
    if (error instanceof PackRefused && (skillMd !== null || error.cause === undefined)) throw error;
    // Whatever is wrong with one file is no reason to go without the others.
    throw new PackUnread(whyUnread(error), { cause: error });
  }
}

function whyUnread(error: unknown): string {
  if (error instanceof PackRefused) return error.message;
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM')
    return `Its SKILL.md cannot be read (${code}): check its permissions.`;
  // By its name, as a test runner has another DOMException than the system.
  const isLate =
    typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
  return `Its SKILL.md cannot be read ${isLate ? 'in time' : `(${String(code)})`}: it is tried again.`;
}

function contentOf({ directory, skillFile }: PackFolder): PackContent {
  return {
    skillMd: async (signal) => {
      const content = await readWithin(directory, skillFile, signal);
      checkSkillMdSize(content?.byteLength ?? Infinity);
      return content ?? Buffer.alloc(0);
    },
    file: async (path, signal) => {
      const content = await readWithin(directory, path, signal);
      if (content) return content;
      throw new PackRefused(`The file ${inShort(path)} is larger than ${inMegabytes(MAX_READ_BYTES)}.`);
    },
  };
}

/** Resolves the path again: it may have been replaced by a link since the listing. Null: too large. */
async function readWithin(directory: string, path: string, signal: AbortSignal): Promise<Buffer | null> {
  try {
    const real = await realpath(join(directory, path));
    if (!isWithin(directory, real))
      throw new PackRefused(`The file ${inShort(path)} is a link that leads out of the pack.`);
    return await readFileUpTo(real, MAX_READ_BYTES, signal);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error;
    throw new PackRefused(`The file ${inShort(path)} is not there any more.`, { cause: error });
  }
}
