import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, opendir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { compare } from '@palabre/text';
import { mapWithConcurrency } from '@palabre/async';

import {
  AT_TOP,
  byPath,
  isIgnoredName,
  isOwnFolder,
  isSkillFile,
  MAX_FILES,
  spareSkillFile,
} from './pack-layout.js';
import type { KeptFolder, RefusedPack } from './pack-listing.js';
import { keyOfRemark, type PackRemark, packRemark, type PackRemarkCode } from './pack-remark.js';
import { inShort } from './skill-md.js';

const MAX_PACKS = 2000;
const MAX_ENTRIES = 10_000;
/** The depth below the folder of packs, and within a pack. */
const MAX_FOLDERS = 20;
const MAX_FOLDERS_IN_PACK = 4;

/** A folder with a SKILL.md. */
export interface PackFolder extends Omit<KeptFolder, 'content'> {
  /** The folder's real path, without links. */
  directory: string;
  skillFile: string;
}

interface WalkResult {
  folders: PackFolder[];
  refused: RefusedPack[];
}

/** Finds the packs below a folder, and the reasons against others. Rejects if the folder cannot be read. */
export async function findPackFolders(directory: string): Promise<WalkResult> {
  return new Walk(await realpath(directory)).run();
}

/** The folder has more entries than is sensible. */
class LimitReached extends Error {
  override readonly name = 'LimitReached';
}

interface FoundPack extends Pick<PackFolder, 'folder' | 'directory' | 'skillFile'> {
  oddities: PackRemark[];
  files: { path: string; facts: BigIntStats }[];
  isComplete: boolean;
}

interface Place {
  folder: string;
  directory: string;
  /** The parent folders and this one. A link to one of them would be a cycle. */
  chain: readonly string[];
  /** The pack that the place belongs to. */
  pack: FoundPack | null;
  /** Inside the pack's references, assets or scripts, where a SKILL.md is an ordinary file. */
  isOwn: boolean;
}

class Walk {
  private readonly packs: FoundPack[] = [];
  private readonly refused: RefusedPack[] = [];
  private entries = 0;

  constructor(private readonly root: string) {}

  async run(): Promise<WalkResult> {
    try {
      const top = { folder: '', directory: this.root, chain: [this.root], pack: null, isOwn: false };
      await this.visit(top, await this.list(this.root));
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      this.refuse('', `${error.message} What comes after is left out.`);
    }
    const folders = this.packs.filter(({ isComplete }) => isComplete).flatMap((pack) => this.folderOf(pack));
    return { folders, refused: this.refused };
  }

  private async visit(outer: Place, entries: readonly Dirent[]): Promise<void> {
    const begun = this.begin(outer, entries);
    const place = begun ? { ...outer, pack: begun } : outer;
    const { pack } = place;
    // A pack with too many files is refused, but packs below it may be fine.
    if (pack && pack.files.length <= MAX_FILES) {
      const files = entries.filter((entry) => !entry.isDirectory());
      await mapWithConcurrency(files, (entry) => this.addFile(pack, place, entry));
    }
    for (const entry of entries) {
      if (entry.isDirectory()) await this.enter(place, entry.name, join(place.directory, entry.name));
      else if (!pack && entry.isSymbolicLink()) await this.follow(place, entry.name);
    }
    if (begun) begun.isComplete = true;
  }

  /** The pack of this folder. Null: the folder is not a pack. */
  private begin({ folder, directory, isOwn }: Place, entries: readonly Dirent[]): FoundPack | null {
    const skillFile = isOwn ? undefined : entries.find(({ name }) => isSkillFile(name))?.name;
    if (skillFile === undefined) return null;
    if (folder === '') {
      this.refuse(skillFile, AT_TOP);
      return null;
    }
    if (this.packs.length >= MAX_PACKS) throw new LimitReached(`There are more than ${MAX_PACKS} packs.`);
    const pack = { folder, directory, skillFile, files: [], oddities: [], isComplete: false };
    this.packs.push(pack);
    return pack;
  }

  /** An unreadable entry is reported, and the search goes on. */
  private async enter(place: Place, name: string, directory: string): Promise<void> {
    const { pack, isOwn, chain } = place;
    const folder = place.folder === '' ? name : `${place.folder}/${name}`;
    if (chain.length > MAX_FOLDERS) return;
    if (pack && pathIn(pack, folder).split('/').length > MAX_FOLDERS_IN_PACK)
      return this.leaveOut(pack, folder, 'FOLDER_TOO_DEEP');
    if (isUnreadableName(name)) {
      if (pack) return this.leaveOut(pack, folder, 'FOLDER_NAME_NOT_UTF8');
      return this.refuse(folder, 'Its name is not UTF-8: rename it.');
    }
    let entries: Dirent[];
    try {
      entries = await this.list(directory);
    } catch (error) {
      if (error instanceof LimitReached) throw error;
      if (pack) return this.leaveOut(pack, folder, 'FOLDER_UNREADABLE');
      return this.refuse(
        folder,
        `It cannot be read (${(error as NodeJS.ErrnoException).code}): check its permissions.`,
      );
    }
    const isOwnHere = isOwn || (pack !== null && isOwnFolder(name));
    await this.visit({ folder, directory, chain: [...chain, directory], pack, isOwn: isOwnHere }, entries);
    return undefined;
  }

  /** Follows a link outside packs. */
  private async follow(place: Place, name: string): Promise<void> {
    const folder = place.folder === '' ? name : `${place.folder}/${name}`;
    const target = await targetOf(join(place.directory, name));
    if (!target) this.refuse(folder, 'It is a link to nothing: repair or remove it.');
    else if (!isWithin(this.root, target.path))
      this.refuse(folder, 'It is a link that leads out of the folder of skills: put a copy in its place.');
    else if (!target.facts.isDirectory()) return;
    else if (place.chain.includes(target.path)) this.refuse(folder, 'It is a link that leads in circles.');
    else await this.enter(place, name, target.path);
  }

  private async addFile(pack: FoundPack, { folder, directory }: Place, { name }: Dirent): Promise<void> {
    const path = pathIn(pack, `${folder}/${name}`);
    const target = await targetOf(join(directory, name));
    const isOutside = target !== null && !isWithin(pack.directory, target.path);
    if (target?.facts.isFile() && !isOutside) pack.files.push({ path, facts: target.facts });
    else {
      const fault = isUnreadableName(name) ? 'FILE_NAME_NOT_UTF8' : 'FILE_UNREADABLE';
      pack.oddities.push(packRemark(isOutside ? 'LINK_LEADS_OUT' : fault, { path: inShort(path) }));
    }
  }

  /** Sorted by name. A folder of a million files is not read completely. */
  private async list(directory: string): Promise<Dirent[]> {
    const entries: Dirent[] = [];
    for await (const entry of await opendir(directory, { bufferSize: 256 })) {
      this.entries += 1;
      if (this.entries > MAX_ENTRIES)
        throw new LimitReached(`There are more than ${MAX_ENTRIES} files and folders.`);
      if (!isIgnoredName(entry.name)) entries.push(entry);
    }
    return entries.toSorted((one, other) => compare(one.name, other.name));
  }

  private folderOf(pack: FoundPack): PackFolder[] {
    const { folder, directory, skillFile } = pack;
    const skillMd = pack.files.find(({ path }) => path === skillFile);
    if (!skillMd) {
      this.refuse(folder, `Its ${skillFile} is no ordinary file, or cannot be read.`);
      return [];
    }
    const spares = pack.files.filter(({ path }) => isSkillFile(path) && path !== skillFile);
    const others = pack.files.filter(({ path }) => !isSkillFile(path)).toSorted(byPath);
    const oddities = [
      ...pack.oddities.toSorted((one, other) => compare(keyOfRemark(one), keyOfRemark(other))),
      ...spares.map(({ path }) => spareSkillFile(path, skillFile)),
    ];
    const stamps = [skillMd, ...others].map(({ path, facts }) => `${path} ${stampOf(facts)}`);
    return [
      {
        folder,
        directory,
        skillFile,
        files: others.map(({ path, facts }) => ({ path, bytes: Number(facts.size) })),
        oddities,
        stamp: [...stamps, ...oddities.map(keyOfRemark)].join('\n'),
      },
    ];
  }

  private leaveOut(pack: FoundPack, folder: string, fault: PackRemarkCode): void {
    pack.oddities.push(packRemark(fault, { path: inShort(`${pathIn(pack, folder)}/`) }));
  }

  private refuse(path: string, reason: string): void {
    this.refused.push({ path, reason });
  }
}

/** A search path relative to the pack. */
function pathIn(pack: FoundPack, path: string): string {
  return path.slice(pack.folder.length + 1);
}

/** Invalid UTF-8 becomes this character. The system finds no file under such a name. */
function isUnreadableName(name: string): boolean {
  return name.includes('\ufffd');
}

/** Changes when the file is changed or replaced. Tools that set back its `mtime` cannot set back its `ctime`. */
function stampOf({ mtimeNs, ctimeNs, ino, size }: BigIntStats): string {
  return [mtimeNs, ctimeNs, ino, size].join(' ');
}

/** The target of a path. Null: none, or unreadable. */
async function targetOf(path: string): Promise<{ path: string; facts: BigIntStats } | null> {
  try {
    const facts = await lstat(path, { bigint: true });
    if (!facts.isSymbolicLink()) return { path, facts };
    const real = await realpath(path);
    return { path: real, facts: await lstat(real, { bigint: true }) };
  } catch {
    return null;
  }
}

/** Both paths must be free of links. */
export function isWithin(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
