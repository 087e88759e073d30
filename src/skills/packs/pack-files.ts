import type { BigIntStats, Dirent } from 'node:fs';
import { join, isAbsolute, relative, sep } from 'node:path';
import { lstat, opendir, realpath } from 'node:fs/promises';

import { mapWithConcurrency } from './map-with-concurrency.js';
import { isOwnFolder, isSkillFile, MAX_FILES, compare, isIgnoredName } from './pack-layout.js';
import { inShort } from './skill-md.js';

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
export async function filesBelow(
  pack: string,
  entries: readonly Dirent[],
  listings: DirectoryListings,
): Promise<FilesFound> {
  const found: FilesFound = { files: [], folders: [], nested: [], oddities: [] };
  await gather({ pack, prefix: '', depth: 0, isOwn: false, entries }, listings, found);
  return found;
}

async function gather(level: Level, listings: DirectoryListings, found: FilesFound): Promise<void> {
  // A pack with more is refused anyway; those further down may be in order.
  const isFull = found.files.length > MAX_FILES;
  const others = isFull ? [] : level.entries.filter((entry) => !entry.isDirectory());
  const files = await mapWithConcurrency(others, (entry) => fileBehind(level, entry, found.oddities));
  found.files.push(...files.filter((file) => file !== null));
  for (const entry of level.entries) if (entry.isDirectory()) await goDown(level, entry, listings, found);
}

async function goDown(
  { pack, prefix, depth, ...level }: Level,
  { name }: Dirent,
  listings: DirectoryListings,
  found: FilesFound,
): Promise<void> {
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
}

async function fileBehind(
  { pack, prefix }: Level,
  entry: Dirent,
  oddities: string[],
): Promise<FilesFound['files'][number] | null> {
  const path = `${prefix}${entry.name}`;
  const place = join(pack, path);
  const target = entry.isSymbolicLink() ? await resolveLink(place) : await factsAt(place);
  const isOutside = target !== null && !isWithin(pack, target.path);
  if (target?.facts.isFile() && !isOutside) return { path, facts: target.facts };
  if (isOutside)
    oddities.push(`The file ${inShort(path)} is a link that leads out of the pack: it is left out.`);
  else if (isUnreadableName(entry.name))
    oddities.push(`The file ${inShort(path)} has a name that is not UTF-8: rename it. It is left out.`);
  else oddities.push(`The file ${inShort(path)} is no ordinary file, or cannot be read: it is left out.`);
  return null;
}

/** Bytes that are no UTF-8 come as this character, under which the system finds nothing. */
export function isUnreadableName(name: string): boolean {
  return name.includes('\ufffd');
}

const MAX_DIRECTORY_ENTRIES = 10_000;

/** File systems tell times in steps of some milliseconds: two changes within one look like one. */
const SETTLED_AFTER_MS = 100;

interface Listing {
  stamp: string;
  /** Whether a later change would show in the stamp. */
  isSettled: boolean;
  entries: readonly Dirent[];
  /** Those that are ignored among them. */
  count: number;
}

/** What is in a folder, by name. */
export interface Listed {
  entries: readonly Dirent[];
  /** The same as in the search before. */
  isKnown: boolean;
}

/** There is more than anybody should keep below a folder of packs. */
export class LimitReached extends Error {
  override readonly name = 'LimitReached';
}

/** Lists folders; in the next search only those again that have changed since. */
export class DirectoryListings {
  private before = new Map<string, Listing>();
  private listed = new Map<string, Listing>();
  private count = 0;

  /** Begins a new search, which may list as much as the one before. */
  begin(): void {
    this.before = this.listed;
    this.listed = new Map();
    this.count = 0;
  }

  /** Throws LimitReached. */
  async list(directory: string): Promise<Listed> {
    const stamp = stampOf(await lstat(directory, { bigint: true }));
    const known = this.before.get(directory);
    const isKnown = known?.stamp === stamp && known.isSettled;
    const listing = isKnown ? known : await this.read(directory, stamp);
    this.count += listing.count;
    this.checkCount(0);
    this.listed.set(directory, listing);
    return { entries: listing.entries, isKnown };
  }

  /** A folder of a million files is not read to its end. */
  private async read(directory: string, stamp: string): Promise<Listing> {
    const entries: Dirent[] = [];
    let count = 0;
    // The file system's clock, not the process's, which tests replace.
    const isSettled = Number(stamp.split(' ')[0]) / 1e6 < Date.now() - SETTLED_AFTER_MS;
    for await (const entry of await opendir(directory, { bufferSize: 256 })) {
      count += 1;
      this.checkCount(count);
      if (!isIgnoredName(entry.name)) entries.push(entry);
    }
    entries.sort((one, other) => compare(one.name, other.name));
    return { stamp, isSettled, entries, count };
  }

  private checkCount(more: number): void {
    if (this.count + more > MAX_DIRECTORY_ENTRIES)
      throw new LimitReached(`There are more than ${MAX_DIRECTORY_ENTRIES} files and folders.`);
  }
}

/**
 * Another as soon as a file or folder is another, or other content. The time of the inode changes as well when a tool
 * sets back the other one, and its number when a file is replaced.
 */
export function stampOf({ mtimeNs, ctimeNs, ino, size }: BigIntStats): string {
  return [mtimeNs, ctimeNs, ino, size].join(' ');
}

export interface Target {
  /** Without links on the way. */
  path: string;
  facts: BigIntStats;
}

/** The final target of a path; null: there is none, or it cannot be read. */
export async function resolveLink(path: string): Promise<Target | null> {
  try {
    return await factsAt(await realpath(path));
  } catch {
    return null;
  }
}

/** Facts of the path itself, even when it is a link; null: it cannot be read. */
async function factsAt(path: string): Promise<Target | null> {
  try {
    return { path, facts: await lstat(path, { bigint: true }) };
  } catch {
    return null;
  }
}

/** Both without links on the way. */
export function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
