import { isDeepStrictEqual } from 'node:util';
import { byKey } from '@palabre/text';
import { mapWithConcurrency } from '@palabre/async';

import type { Pack, PackFile } from './pack.js';
import { describePack, type PackContent, packOf } from './described-pack.js';
import { byPath } from './pack-layout.js';
import { PackRefused } from './pack-refused.js';

/** A pack that cannot be used, or a limit that was reached: where, and why. */
export interface RefusedPack {
  /** Relative to where packs are kept; empty: the whole. */
  path: string;
  /** In words for its author. */
  reason: string;
}

/** The packs of one source. The same object until something changes. */
export interface PackListing {
  readonly packs: readonly Pack[];
  readonly refused: readonly RefusedPack[];
  /** Grows whenever the listing changes. */
  readonly revision: number;
}

/** A folder with a SKILL.md, wherever it is kept. */
export interface KeptFolder {
  /** Relative to where packs are kept, with slashes. */
  folder: string;
  /** All but the SKILL.md, by path. */
  files: readonly PackFile[];
  /** What of it cannot be used, for its author. */
  oddities: readonly string[];
  /** Changes whenever any of its files does. */
  stamp: string;
  content: PackContent;
}

/** What one search has found. */
export interface FoundFolders {
  folders: readonly KeptFolder[];
  refused: readonly RefusedPack[];
}

/** Longer lists of refusals are not read by anybody. */
const MAX_REFUSED = 100;

/** A disk that does not answer must not hold up those who wait for the listing. */
const READ_TIMEOUT_MS = 10_000;

interface ReadFolder {
  path: string;
  /** Of the folder as it was read; null: to be read again at the next look. */
  stamp: string | null;
  result: Pack | { reason: string };
  /** Why the folder as it is now could not be read, where `result` is of an earlier time. */
  unread: string | null;
}

/** The time, for the age of a listing. */
export interface PackClock {
  now(): Date;
}

/** Hears when packs cannot be listed. */
export interface PackLog {
  warn(facts: object, message: string): void;
}

interface Options {
  /** An older listing is looked up again. */
  maxAgeMs: number;
  clock: PackClock;
  logger: PackLog | null;
}

/**
 * The packs of one source, such as a folder. Searches when somebody asks and the last search is old; once, for many who
 * ask. Reads only folders whose stamp has changed. There is no watcher: watchers are not reliable over networks and
 * mounted volumes.
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

  /** Never rejects: when the search fails, the packs of the last one are in force, and `refused` says so. */
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
      // Said once, not at every search while it lasts.
      if (!this.hasFailed) this.options.logger?.warn({ err: error }, 'The packs of skills cannot be listed.');
      this.hasFailed = true;
      this.take({ packs: this.listing.packs, refused: [NOT_LISTED] });
    }
    // Searches take a tenth of the time at most.
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

/** Rejects with PackRefused for a pack that cannot be used; with another error, whose cause says why, for now. */
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
  // By its name: a test runner has another DOMException than the system.
  const isLate = error instanceof Object && 'name' in error && error.name === 'TimeoutError';
  return `Its SKILL.md cannot be read ${isLate ? 'in time' : `(${String(code)})`}: it is tried again.`;
}

/** In order, without packs of a key that another has already. */
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
