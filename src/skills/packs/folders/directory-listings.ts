import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';

import { compare, isIgnoredName } from '../pack-layout.js';

export const MAX_DIRECTORY_ENTRIES = 10_000;

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
    // The clock is that of the files, not that of the process, which tests set.
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
export const stampOf = ({ mtimeNs, ctimeNs, ino, size }: BigIntStats): string =>
  [mtimeNs, ctimeNs, ino, size].join(' ');
