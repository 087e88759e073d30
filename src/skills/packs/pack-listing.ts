import type { Clock } from '../../common/clock.js';
import type { Logger } from '../../common/process/logger.js';
import type { Pack } from '../skill.js';
import { byPath, compare } from './pack-layout.js';
import { mapWithConcurrency } from './map-with-concurrency.js';
import { PackRefused, PackUnread } from './pack-refused.js';

/** A pack that cannot be used, or a limit that was reached: where, and why. */
export interface RefusedPack {
  /** Relative to where packs are kept; empty: the whole. */
  path: string;
  /** In words for its author. */
  reason: string;
}

/** What one search has found. */
export interface PacksFound {
  packs: readonly Pack[];
  refused: readonly RefusedPack[];
}

/** The packs of one source. The same object until something changes. */
export interface PackListing extends PacksFound {
  /** Grows whenever the listing changes. */
  readonly revision: number;
}

/** The longest list of refusals that is still useful to read. */
const MOST_REFUSED = 100;

/** In order, without packs of a key that another has already. */
export function inOrder(
  packs: readonly { path: string; pack: Pack }[],
  refused: readonly RefusedPack[],
): PacksFound {
  const byKey = new Map<string, { path: string; pack: Pack }>();
  const twins: RefusedPack[] = [];
  for (const found of packs.toSorted(byPath)) {
    const other = byKey.get(found.pack.key);
    if (!other) byKey.set(found.pack.key, found);
    else
      twins.push({
        path: found.path,
        reason: `It would have the same key as ${other.path}, ${found.pack.key}: rename it.`,
      });
  }
  return {
    packs: [...byKey.values()].map(({ pack }) => pack).toSorted((one, other) => compare(one.key, other.key)),
    refused: [...refused, ...twins].toSorted(byPath).slice(0, MOST_REFUSED),
  };
}

interface ListingOptions {
  /** A listing of this age is looked up again. */
  maxAgeMs: number;
  clock: Clock;
  /** Logs why a search failed; null: no log. */
  logger: Pick<Logger, 'warn'> | null;
}

/** Keeps the last listing and searches again when somebody asks for it and it is old; for many who ask, once. */
export class RefreshedListing {
  private listing: PackListing = { packs: [], refused: [], revision: 0 };
  private staleAtMs = -Infinity;
  private search: Promise<PackListing> | null = null;
  private failed = false;

  /** `find` gives the same Pack object again for a pack that has not changed. */
  constructor(
    private readonly find: () => Promise<PacksFound>,
    private readonly options: ListingOptions,
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
      this.take(await this.find());
      this.failed = false;
    } catch (error) {
      // Said once, and not again at every search for as long as it lasts.
      if (!this.failed) this.options.logger?.warn({ err: error }, 'The packs of skills cannot be listed.');
      this.failed = true;
      this.take({ packs: this.listing.packs, refused: [NOT_LISTED] });
    }
    // A search that takes long is made the less often: it gets a tenth of the time at most.
    this.staleAtMs = startedMs + Math.max(this.options.maxAgeMs, 10 * (this.nowMs() - startedMs));
    return this.listing;
  }

  private take(found: PacksFound): void {
    const isOld =
      isSame(found.refused, this.listing.refused, isSameRefusal) &&
      isSame(found.packs, this.listing.packs, Object.is);
    if (!isOld) this.listing = { ...found, revision: this.listing.revision + 1 };
  }

  private nowMs(): number {
    return this.options.clock.now().getTime();
  }
}

const NOT_LISTED: RefusedPack = {
  path: '',
  reason: 'The packs cannot be listed at the moment: those that were found before are in force.',
};

function isSame<Item>(
  items: readonly Item[],
  others: readonly Item[],
  isEqual: (one: Item, other: Item) => boolean,
): boolean {
  return (
    items.length === others.length &&
    items.every((item, index) => {
      const other = others[index];
      return other !== undefined && isEqual(item, other);
    })
  );
}

function isSameRefusal(one: RefusedPack, other: RefusedPack): boolean {
  return one.path === other.path && one.reason === other.reason;
}

/** A folder with a SKILL.md, wherever it is kept. */
interface KeptFolder {
  folder: string;
  /** Another as soon as any of its files is. */
  stamp: string;
}

/** What a pack is, or why it is refused. */
interface Read {
  path: string;
  /** Of the folder that was read; null: to be read again at the next look. */
  stamp: string | null;
  result: Pack | string;
  /** Why the folder as it is now could not be read: the result is of an earlier time. */
  unread: string | null;
}

/** Reads packs, and those that have been read only when their stamp has changed. */
export class PackReader<Folder extends KeptFolder> {
  private known = new Map<string, Read>();

  /**
   * `read` rejects with PackRefused for a pack that cannot be used, with PackUnread for one that may be readable at the
   * next look: until then it stays as it was. Any other rejection ends it all.
   */
  constructor(private readonly read: (folder: Folder) => Promise<Pack>) {}

  async readAll(folders: readonly Folder[]): Promise<PacksRead> {
    const results = await mapWithConcurrency(folders, (folder) => this.look(folder));
    this.known = new Map(results.map((result) => [result.path, result]));
    const read: PacksRead = { packs: [], refused: [] };
    for (const { path, result, unread } of results) {
      if (typeof result === 'string') read.refused.push({ path, reason: result });
      else read.packs.push({ path, pack: result });
      if (unread !== null) read.refused.push({ path, reason: `${unread} Until then it stays as it was.` });
    }
    return read;
  }

  private async look(folder: Folder): Promise<Read> {
    const { folder: path, stamp } = folder;
    const known = this.known.get(path);
    if (known?.stamp === stamp) return { ...known, unread: null };
    try {
      return { path, stamp, result: await this.resultOf(folder), unread: null };
    } catch (error) {
      if (!(error instanceof PackUnread)) throw error;
      // Remembered under its earlier stamp, which is not that of the folder: it is read at the next look.
      if (known && typeof known.result !== 'string') return { ...known, unread: error.message };
      return { path, stamp: null, result: error.message, unread: null };
    }
  }

  private async resultOf(folder: Folder): Promise<Pack | string> {
    try {
      return await this.read(folder);
    } catch (error) {
      if (error instanceof PackRefused) return error.message;
      throw error;
    }
  }
}

interface PacksRead {
  packs: { path: string; pack: Pack }[];
  refused: { path: string; reason: string }[];
}
