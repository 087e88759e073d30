import type { BigIntStats, Dirent } from 'node:fs';
import { join } from 'node:path';

import { aFewAtATime } from './folders/a-few-at-a-time.js';
import { type DirectoryListings, LimitReached, type Listed } from './folders/directory-listings.js';
import { at, behind, isWithin } from './folders/link-target.js';
import { isOwnFolder, isSkillFile, MAX_FILES } from './pack-layout.js';
import { inShort } from './skill-md/skill-md.js';

/** Folders within a pack: the format asks for one. */
const MAX_DEPTH = 4;

/** A folder with a SKILL.md of its own in a pack. */
export interface NestedFolder {
  /** Relative to the pack. */
  path: string;
  listed: Listed;
}

/** What lies in a pack. */
export interface FilesFound {
  /** Relative to the pack. */
  files: { path: string; facts: BigIntStats }[];
  /** The folders in it on the disk, those of nested packs among them. */
  folders: string[];
  /** None of their files is among `files`. */
  nested: NestedFolder[];
  /** What of it cannot be used, in words. */
  oddities: string[];
}

interface Level {
  pack: string;
  /** Empty, or with a slash at its end. */
  prefix: string;
  depth: number;
  /** In references, assets or scripts, where there are files alone. */
  isOwn: boolean;
  entries: readonly Dirent[];
}

/** The files below a pack's folder, of which `entries` are the first ones. Throws LimitReached. */
export const filesBelow = async (
  pack: string,
  entries: readonly Dirent[],
  listings: DirectoryListings,
): Promise<FilesFound> => {
  const found: FilesFound = { files: [], folders: [], nested: [], oddities: [] };
  await gather({ pack, prefix: '', depth: 0, isOwn: false, entries }, listings, found);
  return found;
};

const gather = async (level: Level, listings: DirectoryListings, found: FilesFound): Promise<void> => {
  // A pack with more is refused anyway; those further down may be in order.
  const isFull = found.files.length > MAX_FILES;
  const others = isFull ? [] : level.entries.filter((entry) => !entry.isDirectory());
  const files = await aFewAtATime(others, (entry) => fileBehind(level, entry, found.oddities));
  found.files.push(...files.filter((file) => file !== null));
  for (const entry of level.entries) if (entry.isDirectory()) await goDown(level, entry, listings, found);
};

const goDown = async (
  { pack, prefix, depth, ...level }: Level,
  { name }: Dirent,
  listings: DirectoryListings,
  found: FilesFound,
): Promise<void> => {
  const folder = `${prefix}${name}/`;
  if (depth >= MAX_DEPTH) {
    found.oddities.push(`The folder ${inShort(folder)} lies too deep: its files are left out.`);
    return;
  }
  try {
    const listed = await listings.list(join(pack, prefix, name));
    found.folders.push(join(pack, prefix, name));
    const isOwn = level.isOwn || isOwnFolder(name);
    const { entries } = listed;
    if (!isOwn && entries.some((entry) => isSkillFile(entry.name)))
      found.nested.push({ path: `${prefix}${name}`, listed });
    else await gather({ pack, prefix: folder, depth: depth + 1, isOwn, entries }, listings, found);
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    const fault = isUnreadableName(name) ? 'has a name that is not UTF-8' : 'cannot be read';
    found.oddities.push(`The folder ${inShort(folder)} ${fault}: its files are left out.`);
  }
};

const fileBehind = async (
  { pack, prefix }: Level,
  entry: Dirent,
  oddities: string[],
): Promise<FilesFound['files'][number] | null> => {
  const path = `${prefix}${entry.name}`;
  const place = join(pack, path);
  const target = entry.isSymbolicLink() ? await behind(place) : await at(place);
  const isOutside = target !== null && !isWithin(pack, target.path);
  if (target?.facts.isFile() && !isOutside) return { path, facts: target.facts };
  if (isOutside)
    oddities.push(`The file ${inShort(path)} is a link that leads out of the pack: it is left out.`);
  else if (isUnreadableName(entry.name))
    oddities.push(`The file ${inShort(path)} has a name that is not UTF-8: rename it. It is left out.`);
  else oddities.push(`The file ${inShort(path)} is no ordinary file, or cannot be read: it is left out.`);
  return null;
};

/** Bytes that are no UTF-8 come as this character, under which the system finds nothing. */
export const isUnreadableName = (name: string): boolean => name.includes('\ufffd');
