import { isDeepStrictEqual } from 'node:util';
import { byKey } from '@palabre/text';
import { mapWithConcurrency } from '@palabre/async';

import type { PackRemark } from './pack-remark.js';
import type { Pack, PackFile } from './pack.js';
import { describePack, type PackContent, packOf } from './described-pack.js';
import { byPath } from './pack-layout.js';
import { PackRefused } from './pack-refused.js';

/** A refused pack or a reached limit: path and reason. */
export interface RefusedPack {
  /** Relative to the folder of packs. Empty: the whole folder. */
  path: string;
  /** In words for its author. */
  reason: string;
}

/** The packs of one source. The object stays the same until something changes. */
export interface PackListing {
  readonly packs: readonly Pack[];
  readonly refused: readonly RefusedPack[];
  /** Grows whenever the listing changes. */
  readonly revision: number;
}

/** A folder with a SKILL.md, in any storage. */
export interface KeptFolder {
  /** Relative to the folder of packs, with slashes. */
  folder: string;
  /** All files but the SKILL.md, by path. */
  files: readonly PackFile[];
  /** Warnings about unusable files, for the author. */
  oddities: readonly PackRemark[];
  /** Changes whenever any of its files does. */
  stamp: string;
  content: PackContent;
}

export interface FoundFolders {
  folders: readonly KeptFolder[];
  refused: readonly RefusedPack[];
}

/** Nobody reads longer lists. */
const MAX_REFUSED = 100;

/** A disk that does not answer must not block those who wait for the listing. */
const READ_TIMEOUT_MS = 10_000;

interface ReadFolder {
  path: string;
  /** The stamp of the folder when read. Null: read it again next time. */
  stamp: string | null;
  result: Pack | { reason: string };
  /** Why the current folder could not be read. `result` is then an earlier one. */
  unread: string | null;
}

/** The time, for the age of a listing. */
export interface PackClock {
  now(): Date;
}

export interface PackLog {
  warn(facts: object, message: string): void;
}

interface Options {
  /** An older listing is searched again. */
  maxAgeMs: number;
  clock: PackClock;
  logger: PackLog | null;
}

/**
 * The packs of one source, such as a folder. Searches on demand when the last search is old, once for concurrent
 * callers, and reads only folders whose stamp changed. Watchers are unreliable on networks and mounted volumes.
 */
export class KeptPacks {
  private listing: PackListing = { packs: [], refused: [], revision: 0 };
  private known = new Map<string, ReadFolder>();
  private staleAtMs = -Infinity;
  private search: Promise<PackListing> | null = null;
  private hasFailed = false;

  constructor(
    private readonly find: () => Promise<FoundFolders>,
    private readonly options: Options,
  ) {}

  /** Never rejects. After a failed search the last packs stay, and `refused` says so. */
  async current(): Promise<PackListing> {
    if (!this.search && this.nowMs() < this.staleAtMs) return this.listing;
    this.search ??= this.refresh().finally(() => (this.search = null));
    return this.search;
  }

  private async refresh(): Promise<PackListing> {
    const startedMs = this.nowMs();
    try {
      const { folders, refused } = await this.find();
      const read = await mapWithConcurrency(folders, (folder) => this.look(folder));
      this.known = new Map(read.map((one) => [one.path, one]));
      this.take(inOrder(read, refused));
      this.hasFailed = false;
    } catch (error) {
      // Logged once, not at every search.
      if (!this.hasFailed) this.options.logger?.warn({ err: error }, 'The packs of skills cannot be listed.');
      this.hasFailed = true;
      this.take({ packs: this.listing.packs, refused: [NOT_LISTED] });
    }
    // Searching takes at most a tenth of the time.
    this.staleAtMs = startedMs + Math.max(this.options.maxAgeMs, 10 * (this.nowMs() - startedMs));
    return this.listing;
  }

  private async look(folder: KeptFolder): Promise<ReadFolder> {
    const { folder: path, stamp } = folder;
    const known = this.known.get(path);
    if (known?.stamp === stamp) return { ...known, unread: null };
    try {
      return { path, stamp, result: await readPack(folder), unread: null };
    } catch (error) {
      // A fault in the file lasts until it changes.
      if (error instanceof PackRefused)
        return { path, stamp, result: { reason: error.message }, unread: null };
      const reason = whyUnread((error as Error).cause);
      // The known pack stays under its earlier stamp, so the folder is read at the next look.
      if (known && !('reason' in known.result)) return { ...known, unread: reason };
      return { path, stamp: null, result: { reason }, unread: null };
    }
  }

  private take(found: Pick<PackListing, 'packs' | 'refused'>): void {
    const { packs, refused, revision } = this.listing;
    const isOld =
      found.packs.length === packs.length &&
      found.packs.every((pack, index) => pack === packs[index]) &&
      isDeepStrictEqual(found.refused, refused);
    if (!isOld) this.listing = { ...found, revision: revision + 1 };
  }

  private nowMs(): number {
    return this.options.clock.now().getTime();
  }
}

const NOT_LISTED: RefusedPack = {
  path: '',
  reason: 'The packs cannot be listed at the moment: those that were found before are in force.',
};

/** Rejects with PackRefused for an unusable pack, or with a temporary error, whose cause says why. */
async function readPack({ folder, content, files, oddities, stamp }: KeptFolder): Promise<Pack> {
  const skillMd = await content.skillMd(AbortSignal.timeout(READ_TIMEOUT_MS)).catch((error: unknown) => {
    const isLasting = error instanceof PackRefused && error.cause === undefined;
    throw isLasting ? error : new Error('The SKILL.md cannot be read now.', { cause: error });
  });
  return packOf(describePack(folder, skillMd, files, oddities), content, stamp);
}

function whyUnread(error: unknown): string {
  if (error instanceof PackRefused) return error.message;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EACCES' || code === 'EPERM')
    return `Its SKILL.md cannot be read (${code}): check its permissions.`;
  // Checked by name, because a test runner has another DOMException class than the system.
  const isLate = error instanceof Object && 'name' in error && error.name === 'TimeoutError';
  return `Its SKILL.md cannot be read ${isLate ? 'in time' : `(${String(code)})`}: it is tried again.`;
}

/** Sorted, without packs whose key is taken. */
function inOrder(
  read: readonly ReadFolder[],
  others: readonly RefusedPack[],
): Pick<PackListing, 'packs' | 'refused'> {
  const packs = new Map<string, Pack>();
  const paths = new Map<string, string>();
  const refused = [...others];
  for (const { path, result, unread } of read.toSorted(byPath)) {
    if (unread !== null) refused.push({ path, reason: `${unread} Until then it stays as it was.` });
    if ('reason' in result) refused.push({ path, reason: result.reason });
    else if (packs.has(result.key)) {
      const reason = `It would have the same key as ${paths.get(result.key)}, ${result.key}: rename it.`;
      refused.push({ path, reason });
    } else {
      packs.set(result.key, result);
      paths.set(result.key, path);
    }
  }
  return {
    packs: [...packs.values()].toSorted(byKey),
    refused: refused.toSorted(byPath).slice(0, MAX_REFUSED),
  };
}
