import { byKey } from '@palabre/text';

import { checkSkillMdSize, describePack, inMegabytes, type PackFacts } from './described-pack.js';
import { readFileUpTo } from './folder-packs.js';
import { packKeyOf, type PackPlace, findPacks, isIgnoredName, isSkillFile } from './pack-layout.js';
import type { RefusedPack } from './pack-listing.js';
import { PackRefused } from './pack-refused.js';
import { type PackRemark, packRemark } from './pack-remark.js';
import { inShort, parseSkillMd } from './skill-md.js';
import { ArchiveTooLarge, type ZipEntry, zipContentOf, type ZipContent } from './zip-entries.js';

export const MAX_ARCHIVE_BYTES = 10_000_000;

/** A pack from an archive, in memory. */
export interface UnpackedPack extends PackFacts {
  skillMd: Buffer;
  /** The contents of `files`, in the same order. */
  contents: readonly Buffer[];
}

interface UnpackedArchive {
  /** At least one. */
  packs: UnpackedPack[];
  refused: RefusedPack[];
}

/**
 * Reads an uploaded .zip or .skill: a pack at its top, or packs in folders, whose parent folders are categories. A
 * repository's wrapper folder is ignored. A bad pack does not affect the others. Throws PackRefused for a bad
 * archive, or if no pack is usable. A pack at the top is named by its front matter, or else `fileName`, and is the
 * parent folder of the others.
 */
export async function readPackArchive(
  archive: Buffer,
  { fileName, signal }: { fileName: string; signal: AbortSignal },
): Promise<UnpackedArchive> {
  if (archive.byteLength > MAX_ARCHIVE_BYTES) throw tooLarge();
  const files = new ArchiveFiles(withoutWrapper(await zipContentOf(archive)), signal);
  const places = findPacks(files.entries);
  if (places.length === 0)
    throw new PackRefused('The archive has no SKILL.md: pack the folder that holds it.');
  const packs = new Map<string, UnpackedPack>();
  const refused: RefusedPack[] = [];
  // The pack at the top comes first, if there is one.
  const hasTop = places[0]?.folder === '';
  let top = fileName.replace(/\.(?:zip|skill)$/i, '');
  for (const place of places) {
    try {
      files.check(place);
      const skillMd = await files.read(place.skillFile);
      checkSkillMdSize(skillMd.byteLength);
      if (place.folder === '') top = parseSkillMd(skillMd, null).name ?? top;
      const pack = await files.unpack(place, hasTop ? folderBelow(top, place.folder) : place.folder, skillMd);
      if (packs.has(pack.key))
        throw new PackRefused(`Another pack of the archive has the same key, ${pack.key}: rename it.`);
      packs.set(pack.key, pack);
    } catch (error) {
      if (!(error instanceof PackRefused) || error instanceof ArchiveTooLarge) throw error;
      refused.push({ path: place.folder, reason: error.message });
    }
  }
  if (packs.size === 0) throw new PackRefused(reasonsOf(refused));
  return { packs: [...packs.values()].toSorted(byKey), refused };
}

/** Reads such an archive from disk. */
export async function readPackArchiveFile(
  path: string,
  options: { fileName: string; signal: AbortSignal },
): Promise<UnpackedArchive> {
  const archive = await readFileUpTo(path, MAX_ARCHIVE_BYTES, options.signal);
  if (!archive) throw tooLarge();
  return readPackArchive(archive, options);
}

function tooLarge(): PackRefused {
  return new PackRefused(
    `The archive is larger than ${inMegabytes(MAX_ARCHIVE_BYTES)}: leave out what no model has to read.`,
  );
}

function reasonsOf(refused: readonly RefusedPack[]): string {
  const [only, ...others] = refused;
  if (only && others.length === 0) return only.reason;
  const some = refused.slice(0, 5).map(({ path, reason }) => `${inShort(path)}: ${reason}`);
  return `None of the archive's packs can be used. ${some.join(' ')}`;
}

const MAX_GUESSED = 10;

class ArchiveFiles {
  private readonly byPath: ReadonlyMap<string, ZipEntry>;
  private readonly twins: ReadonlySet<string>;

  constructor(
    readonly entries: readonly ZipEntry[],
    private readonly signal: AbortSignal,
  ) {
    this.byPath = new Map(entries.map((entry) => [entry.path, entry]));
    this.twins = duplicatePaths(entries);
  }

  async read(path: string): Promise<Buffer> {
    const entry = this.byPath.get(path);
    if (!entry) throw new PackRefused(`The file ${inShort(path)} is missing.`);
    return entry.read(this.signal);
  }

  /** Throws PackRefused for a pack with ambiguous names. */
  check(place: PackPlace): void {
    const twin = [place.skillFile, ...pathsOf(place)].find((path) => this.twins.has(folded(path)));
    if (twin !== undefined)
      throw new PackRefused(
        `The file ${inShort(twin)} is there twice, or differs from another in capitals or accents alone: rename it.`,
      );
    if (place.folder === '' || !this.byPath.get(place.skillFile)?.isGuessed) return;
    try {
      packKeyOf(place.folder);
    } catch (error) {
      // Renaming the folder would not help.
      throw new PackRefused(
        "The names of the archive's folders are not in UTF-8: pack it again with names in UTF-8.",
        { cause: error },
      );
    }
  }

  async unpack(place: PackPlace, folder: string, skillMd: Buffer): Promise<UnpackedPack> {
    // Checked before unpacking, because a refused pack needs no files.
    describePack(folder, skillMd, place.files);
    const contents: Buffer[] = [];
    for (const path of pathsOf(place)) contents.push(await this.read(path));
    const files = place.files.map(({ path }, index) => ({ path, bytes: contents[index]?.byteLength ?? 0 }));
    return { ...describePack(folder, skillMd, files, this.guessedNames(place)), skillMd, contents };
  }

  /** Warnings for file names that may have been decoded wrongly. */
  private guessedNames(place: PackPlace): PackRemark[] {
    const paths = pathsOf(place);
    return place.files
      .filter((_, index) => this.byPath.get(paths[index] ?? '')?.isGuessed)
      .slice(0, MAX_GUESSED)
      .map(({ path }) => packRemark('FILE_NAME_DAMAGED', { path: inShort(path) }));
  }
}

/** The paths of a pack's files within the archive, in order. */
function pathsOf({ folder, files }: PackPlace): string[] {
  return files.map(({ path }) => (folder === '' ? path : `${folder}/${path}`));
}

/** The folder of a pack, as if the archive contained the folder `top`. */
function folderBelow(top: string, folder: string): string {
  const name = top.replaceAll('/', '-');
  try {
    packKeyOf(name);
  } catch (error) {
    throw new PackRefused(
      `The pack at the top of the archive is called ${inShort(top)}, and its name may have letters, digits, hyphens and underscores alone: change its name, or put it into a folder.`,
      { cause: error },
    );
  }
  return folder === '' ? name : `${name}/${folder}`;
}

/** Paths that differ only in case or Unicode form. Some systems treat them as one file. */
function duplicatePaths(entries: readonly ZipEntry[]): Set<string> {
  const seen = new Set<string>();
  const twins = new Set<string>();
  for (const { path } of entries) (seen.has(folded(path)) ? twins : seen).add(folded(path));
  return twins;
}

function folded(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** The comment of archives by `git archive` and GitHub. */
const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/** The suffix of a repository's top folder in a repacked archive. */
const BRANCH = /-(?:main|master|[\da-f]{40}|v?\d+(?:\.\d+)+)$/;

/**
 * Removes a repository's wrapper folder, such as `skills-main`, which would be a category that changes with each
 * version. Any other folder may be an intended category.
 */
function withoutWrapper({ entries, comment }: ZipContent): ZipEntry[] {
  const wanted = entries.filter(({ path }) => !isIgnoredName(path.split('/')[0] ?? ''));
  const [top = ''] = wanted[0]?.path.split('/') ?? [];
  const prefix = `${top}/`;
  const isAround = wanted.every(({ path }) => path.startsWith(prefix));
  const isPack = wanted.some(({ path }) => isSkillFile(path.slice(prefix.length)));
  if (!isAround || isPack || !(COMMIT.test(comment) || BRANCH.test(top))) return [...entries];
  return wanted.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
}
