import { compare } from '@palabre/text';

import type { PackFile } from './pack.js';
import { PackRefused } from './pack-refused.js';
import { inShort } from './skill-md.js';
import { type PackRemark, packRemark } from './pack-remark.js';

/** The maximum depth of a pack, its own folder included. */
const MAX_PACK_DEPTH = 6;

/** The most files of one pack, besides its SKILL.md. */
export const MAX_FILES = 1000;

/** Letters of any script, digits, hyphens and underscores, with `/` between folders. */
const PACK_KEY = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+(?:\/[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+)*$/u;

const MAX_KEY = 200;

/** A pack as found by file names. */
export interface PackPlace {
  /** The folder, `escrituras/compraventa`; empty: the top. */
  folder: string;
  /** The path of its SKILL.md, as written. */
  skillFile: string;
  /** Other files, by path relative to the folder. */
  files: PackFile[];
  /** Warnings about ignored files. */
  oddities: PackRemark[];
}

export function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

/** Folders that the format reserves for a pack's own files. A SKILL.md inside one is an ordinary file, such as a template. */
export function isOwnFolder(name: string): boolean {
  return ['references', 'assets', 'scripts'].includes(name.toLowerCase());
}

/** The reason for refusing a SKILL.md without a folder. */
export const AT_TOP = 'It stands at the top: put it into a folder of its own, called as the skill is.';

/** The warning for a second SKILL.md that differs only in case. */
export function spareSkillFile(spare: string, skillFile: string): PackRemark {
  return packRemark('SECOND_SKILL_FILE', { spare, file: skillFile });
}

/** Names of system and tool files that belong to no pack: `.git`, `.env`, `__MACOSX`. */
export function isIgnoredName(name: string): boolean {
  return isHidden(name) || isLitter(name);
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

function isLitter(name: string): boolean {
  return ['__macosx', 'thumbs.db', 'desktop.ini', 'node_modules'].includes(name.toLowerCase());
}

/**
 * A pack's key: its folders in NFC and lower case, with hyphens for blanks, without a leading dot (as in
 * `.claude/skills`). It uses the folder, not the name in the SKILL.md, because folders are unique and visible in
 * lists. Throws PackRefused.
 */
export function packKeyOf(folder: string): string {
  const parts = folder.split('/');
  if (parts.length > MAX_PACK_DEPTH)
    throw new PackRefused(`It stands more than ${MAX_PACK_DEPTH} folders deep: move it up.`);
  const key = parts
    .map((part) =>
      part.replace(/^\./, '').normalize('NFC').trim().replaceAll(/\s+/gu, '-').toLowerCase().normalize('NFC'),
    )
    .join('/');
  const odd = parts.find((_, index) => !PACK_KEY.test(key.split('/')[index] ?? ''));
  if (odd !== undefined)
    throw new PackRefused(
      `The name of the folder ${inShort(odd)} may have letters, digits, hyphens and underscores alone: rename it.`,
    );
  if (key.length > MAX_KEY)
    throw new PackRefused(
      `The names of its folders are longer than ${MAX_KEY} characters together: shorten them.`,
    );
  return key;
}

/** The folders above a pack. Null: none. */
export function categoryOf(key: string): string | null {
  return key.split('/').slice(0, -1).join('/') || null;
}

/**
 * Finds packs among files: each folder with a SKILL.md, and the files below it that are in no deeper pack. Hidden
 * folders are searched for packs, but hidden files of a pack are ignored, as are files outside packs. The caller
 * limits the depth of paths.
 */
export function findPacks(files: readonly PackFile[]): PackPlace[] {
  const wanted = files.filter(({ path }) => !path.split('/').some(isLitter));
  const skillFiles = skillFilesByFolder(wanted.map(({ path }) => path));
  const places = new Map<string, PackPlace>();
  for (const { path, bytes } of wanted) {
    const folder = foldersAbove(path).findLast((above) => skillFiles.has(above));
    const skillFile = folder === undefined ? undefined : skillFiles.get(folder);
    if (folder === undefined || skillFile === undefined) continue;
    const within = folder === '' ? path : path.slice(folder.length + 1);
    if (within.split('/').some(isHidden)) continue;
    const place = places.get(folder) ?? { folder, skillFile, files: [], oddities: [] };
    places.set(folder, place);
    if (path === skillFile) continue;
    if (folderOf(path) === folder && isSkillFile(nameOf(path)))
      place.oddities.push(spareSkillFile(nameOf(path), nameOf(skillFile)));
    else place.files.push({ path: within, bytes });
  }
  for (const { files } of places.values()) files.sort(byPath);
  return [...places.values()].toSorted((one, other) => compare(one.folder, other.folder));
}

/** By folder. `SKILL.md` has priority over other spellings. */
function skillFilesByFolder(paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths.toSorted(compare)) {
    const folder = folderOf(path);
    if (isSkillFile(nameOf(path)) && !found.has(folder)) found.set(folder, path);
  }
  return new Map([...found].filter(([folder]) => !isWithinOwnFolder(folder, found)));
}

/** Whether a folder is inside the references, assets or scripts of a pack above it. */
function isWithinOwnFolder(folder: string, skillFiles: ReadonlyMap<string, string>): boolean {
  const parts = folder.split('/');
  const ownFolder = parts.slice(0, parts.findLastIndex(isOwnFolder) + 1);
  return ownFolder.some((_, depth) => skillFiles.has(parts.slice(0, depth).join('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Outermost first, including the top. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, depth) => parts.slice(0, depth).join('/'));
}

export function byPath(one: { path: string }, other: { path: string }): number {
  return compare(one.path, other.path);
}
