import { compare } from '@palabre/text';

import type { PackFile } from './pack.js';
import { PackRefused } from './pack-refused.js';
import { inShort } from './skill-md.js';

/** Folders that a pack may stand in, itself among them. */
const MAX_PACK_DEPTH = 6;

/** Of one pack, its SKILL.md not counted. */
export const MAX_FILES = 1000;

/** Letters of any script, digits, hyphens and underscores, `/` between folders and name. */
const PACK_KEY = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+(?:\/[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+)*$/u;

const MAX_KEY = 200;

/** A pack by the names of its files alone. */
export interface PackPlace {
  /** The folder, `escrituras/compraventa`; empty: the top. */
  folder: string;
  /** Path of its SKILL.md, as it is written. */
  skillFile: string;
  /** The others, relative to the folder, by path. */
  files: PackFile[];
  /** What of it is left out, in words. */
  oddities: string[];
}

export function isSkillFile(name: string): boolean {
  return name.toLowerCase() === 'skill.md';
}

/** Folders that the format reserves for a pack's own files. A SKILL.md inside one is an ordinary file, such as a template. */
export function isOwnFolder(name: string): boolean {
  return ['references', 'assets', 'scripts'].includes(name.toLowerCase());
}

/** Why a SKILL.md that stands in no folder cannot be used. */
export const AT_TOP = 'It stands at the top: put it into a folder of its own, called as the skill is.';

/** Of two that only differ in their letters, people cannot tell which is meant. */
export function spareSkillFile(spare: string, skillFile: string): string {
  return `There is a ${spare} beside the ${skillFile}, and only the ${skillFile} is read: take the other one away.`;
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
 * A pack's key: its folders as they are called, in NFC and lowercase, with hyphens for blanks and without the dot that
 * hides one, as tools keep their packs in `.claude/skills`. The folder and not the
 * name within the SKILL.md, because no two packs have the same and people find by it what they see in lists.
 * Throws PackRefused.
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

/** The folders above a pack; null: there are none. */
export function categoryOf(key: string): string | null {
  return key.split('/').slice(0, -1).join('/') || null;
}

/**
 * The packs among files of any place: a folder with a SKILL.md, with what is below it and not in a pack further down.
 * Packs are looked for in hidden folders too; what is hidden within a pack is none of its files. What belongs to none is
 * left out. Paths have few folders: whoever hands them over has seen to that.
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

/** By the folders of packs. The one called SKILL.md before one in other letters. */
function skillFilesByFolder(paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths.toSorted(compare)) {
    const folder = folderOf(path);
    if (isSkillFile(nameOf(path)) && !found.has(folder)) found.set(folder, path);
  }
  return new Map([...found].filter(([folder]) => !isWithinOwnFolder(folder, found)));
}

/** Whether a folder lies in the references, assets or scripts of a pack above it. */
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

/** Outermost first, the top among them. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, depth) => parts.slice(0, depth).join('/'));
}

export function byPath(one: { path: string }, other: { path: string }): number {
  return compare(one.path, other.path);
}
