import type { Dirent } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf } from '../../common/errors/error-code.js';
import type { PackFile } from '../skill.js';
import { mapWithConcurrency } from './map-with-concurrency.js';
import {
  DirectoryListings,
  LimitReached,
  type Listed,
  stampOf,
  resolveLink,
  isWithin,
  type FilesFound,
  filesBelow,
  isUnreadableName,
  type NestedFolder,
} from './pack-files.js';
import { byPath, isSkillFile, MAX_PACK_DEPTH, spareSkillFile } from './pack-layout.js';
import type { RefusedPack } from './pack-listing.js';

const MAX_PACKS = 2000;

/** A folder with a SKILL.md. */
export interface PackFolder {
  /** Relative to where the search began, with slashes. */
  folder: string;
  /** The folder itself, no link on the way to it. */
  directory: string;
  skillFile: string;
  /** Others than the SKILL.md, by path. */
  files: PackFile[];
  /** What of it cannot be used. */
  oddities: string[];
  /** Another as soon as any of its files is. */
  stamp: string;
}

export interface WalkResult {
  folders: PackFolder[];
  refused: RefusedPack[];
}

/** A pack, and by what to tell that it has not changed. */
interface KnownPack {
  pack: PackFolder;
  skillStamp: string;
  /** The folders within it, those of nested packs among them. */
  within: readonly string[];
  /** The latter alone, relative to the pack. */
  nested: readonly string[];
}

/** A folder with a SKILL.md as a search has found it. */
interface SeenPack {
  /** Null: it cannot be used. */
  pack: KnownPack | null;
  nested: readonly NestedFolder[];
}

/** Searches a folder for packs again and again, and looks closely only at what has changed since the last time. */
export class PackSearch {
  private listings = new DirectoryListings();
  private known = new Map<string, KnownPack>();

  constructor(private readonly directory: string) {}

  /**
   * Finds the packs, and what stands in the way of others. Rejects when the folder itself cannot be read. A file other
   * than a SKILL.md that was changed in its place, and not replaced, is missed unless `closely` is true.
   */
  async run(closely: boolean): Promise<WalkResult> {
    if (closely) {
      this.listings = new DirectoryListings();
      this.known = new Map();
    }
    this.listings.begin();
    const walk = new Walk(await realpath(this.directory), this.listings, this.known);
    const result = await walk.run();
    this.known = walk.found;
    return result;
  }
}

const TOO_DEEP = `It stands more than ${MAX_PACK_DEPTH} folders deep: move it up.`;

interface Place {
  folder: string;
  directory: string;
  /** Folders that lead here, itself among them: a link to one of them would lead in circles. */
  chain: readonly string[];
}

class Walk {
  readonly found = new Map<string, KnownPack>();
  private readonly refused: RefusedPack[] = [];

  constructor(
    private readonly root: string,
    private readonly listings: DirectoryListings,
    private readonly known: ReadonlyMap<string, KnownPack>,
  ) {}

  async run(): Promise<WalkResult> {
    try {
      const listed = await this.listings.list(this.root);
      await this.visit({ folder: '', directory: this.root, chain: [this.root] }, listed);
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      this.refuse('', `${error.message} What comes after is left out.`);
    }
    return { folders: [...this.found.values()].map(({ pack }) => pack), refused: this.refused };
  }

  private async visit(place: Place, listed: Listed): Promise<void> {
    const skillFile = listed.entries.find(({ name }) => isSkillFile(name))?.name;
    if (skillFile !== undefined && place.folder !== '') return this.take(place, listed, skillFile);
    if (skillFile !== undefined)
      this.refuse(
        skillFile,
        'It stands at the top: put it into a folder of its own, called as the skill is.',
      );
    for (const entry of listed.entries) {
      if (entry.isDirectory() || entry.isSymbolicLink()) await this.enter(place, entry);
    }
    return undefined;
  }

  /** One folder further down; what cannot be read there is told, and the search goes on beside it. */
  private async enter(place: Place, entry: Dirent): Promise<void> {
    const folder = place.folder === '' ? entry.name : `${place.folder}/${entry.name}`;
    if (isUnreadableName(entry.name)) return this.refuse(folder, 'Its name is not UTF-8: rename it.');
    const directory = await this.folderBehind(place, entry, folder);
    if (directory === null) return;
    if (place.chain.length > MAX_PACK_DEPTH) return this.refuse(folder, TOO_DEEP);
    let listed: Listed;
    try {
      listed = await this.listings.list(directory);
    } catch (error) {
      if (error instanceof LimitReached) throw error;
      return this.refuse(folder, `It cannot be read (${String(codeOf(error))}): check its permissions.`);
    }
    await this.visit({ folder, directory, chain: [...place.chain, directory] }, listed);
    return undefined;
  }

  /** Null: it is no folder, or none to go into. */
  private async folderBehind(place: Place, entry: Dirent, folder: string): Promise<string | null> {
    const path = join(place.directory, entry.name);
    if (entry.isDirectory()) return path;
    const target = await resolveLink(path);
    if (!target) this.refuse(folder, 'It is a link to nothing: mend it, or take it away.');
    else if (!isWithin(this.root, target.path))
      this.refuse(folder, 'It is a link that leads out of the folder of skills: copy what it stands for.');
    else if (!target.facts.isDirectory()) return null;
    else if (place.chain.includes(target.path)) this.refuse(folder, 'It is a link that leads in circles.');
    else return target.path;
    return null;
  }

  private async take(place: Place, listed: Listed, skillFile: string): Promise<void> {
    if (this.found.size >= MAX_PACKS) throw new LimitReached(`There are more than ${MAX_PACKS} packs.`);
    const known = listed.isKnown ? this.known.get(place.folder) : undefined;
    // A link may lead to another folder than before.
    const same = known?.pack.directory === place.directory ? await this.same(known) : null;
    const { pack, nested } = same ?? (await this.look(place, listed.entries, skillFile));
    if (pack) this.found.set(place.folder, pack);
    else this.refuse(place.folder, `Its ${skillFile} is no ordinary file, or cannot be read.`);
    for (const folder of nested) await this.visitNested(place, folder);
  }

  private async visitNested(place: Place, { path, listed }: NestedFolder): Promise<void> {
    const folder = `${place.folder}/${path}`;
    const chain = [...place.chain];
    for (const name of path.split('/')) chain.push(join(chain.at(-1) ?? '', name));
    const directory = join(place.directory, path);
    // One more than the folders on the way, as the search began in none.
    if (chain.length > MAX_PACK_DEPTH + 1) this.refuse(folder, TOO_DEEP);
    else await this.visit({ folder, directory, chain }, listed);
  }

  /** Null: something about it has changed. */
  private async same(known: KnownPack): Promise<SeenPack | null> {
    const { directory, skillFile } = known.pack;
    const target = await resolveLink(join(directory, skillFile));
    if (!target || stampOf(target.facts) !== known.skillStamp || !isWithin(directory, target.path))
      return null;
    const listed = new Map<string, Listed | null>();
    await mapWithConcurrency(known.within, async (folder) =>
      listed.set(folder, await this.listedAgain(folder)),
    );
    if (![...listed.values()].every((again) => again?.isKnown)) return null;
    const nested = known.nested.flatMap((path) => {
      const again = listed.get(join(directory, path));
      return again ? [{ path, listed: again }] : [];
    });
    return { pack: known, nested };
  }

  private async listedAgain(directory: string): Promise<Listed | null> {
    try {
      return await this.listings.list(directory);
    } catch (error) {
      if (error instanceof LimitReached) throw error;
      return null;
    }
  }

  private async look(place: Place, entries: readonly Dirent[], skillFile: string): Promise<SeenPack> {
    const { folder, directory } = place;
    const found = await filesBelow(directory, entries, this.listings);
    const skillMd = found.files.find(({ path }) => path === skillFile);
    const pack = skillMd ? toKnown({ folder, directory, skillFile }, skillMd, found) : null;
    return { pack, nested: found.nested };
  }

  private refuse(path: string, reason: string): void {
    this.refused.push({ path, reason });
  }
}

function toKnown(
  where: Pick<PackFolder, 'folder' | 'directory' | 'skillFile'>,
  skillMd: FilesFound['files'][number],
  { files, folders, nested, oddities: faults }: FilesFound,
): KnownPack {
  const others = files.filter(({ path }) => !isSkillFile(path)).toSorted(byPath);
  const spares = files.filter(({ path }) => isSkillFile(path) && path !== skillMd.path);
  const oddities = [...faults, ...spares.map(({ path }) => spareSkillFile(path, skillMd.path))];
  const stamps = [skillMd, ...others].map(({ path, facts }) => `${path} ${stampOf(facts)}`);
  const pack: PackFolder = {
    ...where,
    files: others.map(({ path, facts }) => ({ path, bytes: Number(facts.size) })),
    oddities,
    stamp: [...stamps, ...oddities].join('\n'),
  };
  return {
    pack,
    skillStamp: stampOf(skillMd.facts),
    within: folders,
    nested: nested.map(({ path }) => path),
  };
}
