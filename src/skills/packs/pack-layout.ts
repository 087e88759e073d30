import type { PackFile } from '../skill.js';
import { PackRefused } from './pack-refused.js';
import { inShort } from './skill-md/skill-md.js';

/** Folders that a pack may stand in, itself among them. */
export const MAX_PACK_DEPTH = 6;

/** Of one pack, its SKILL.md not counted. */
export const MAX_FILES = 1000;

/** Letters of any script, digits, hyphens and underscores, `/` between folders and name. */
export const PACK_KEY = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+(?:\/[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]+)*$/u;

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

export const isSkillFile = (name: string): boolean => name.toLowerCase() === 'skill.md';

/** What the format keeps for a pack's own files: a SKILL.md further down is one of these, a template perhaps. */
export const isOwnFolder = (name: string): boolean =>
  ['references', 'assets', 'scripts'].includes(name.toLowerCase());

/** Of two that only differ in their letters, people cannot tell which is meant. */
export const spareSkillFile = (spare: string, skillFile: string): string =>
  `There is a ${spare} beside the ${skillFile}, and only the ${skillFile} is read: take the other one away.`;

/** What systems and people leave behind and nobody is meant to read: `.git`, `.env`, `__MACOSX`. */
export const isIgnoredName = (name: string): boolean =>
  name.startsWith('.') ||
  ['__macosx', 'thumbs.db', 'desktop.ini', 'node_modules'].includes(name.toLowerCase());

export const isIgnoredPath = (path: string): boolean => path.split('/').some(isIgnoredName);

/**
 * A pack's key: its folders as they are called, in NFC and lowercase, with hyphens for blanks. The folder and not the
 * name within the SKILL.md, because no two packs have the same and people find by it what they see in lists.
 * Throws PackRefused.
 */
export const packKeyOf = (folder: string): string => {
  const parts = folder.split('/');
  if (parts.length > MAX_PACK_DEPTH)
    throw new PackRefused(`It stands more than ${MAX_PACK_DEPTH} folders deep: move it up.`);
  const key = parts
    .map((part) => part.normalize('NFC').trim().replaceAll(/\s+/gu, '-').toLowerCase().normalize('NFC'))
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
};

/** The folders above a pack; null: there are none. */
export const categoryOf = (key: string): string | null => key.split('/').slice(0, -1).join('/') || null;

/**
 * The packs among files of any place: a folder with a SKILL.md, with what is below it and not in a pack further down.
 * What belongs to none is left out. Paths have few folders: whoever hands them over has seen to that.
 */
export const packsAmong = (files: readonly PackFile[]): PackPlace[] => {
  const wanted = files.filter(({ path }) => !isIgnoredPath(path));
  const skillFiles = skillFilesByFolder(wanted.map(({ path }) => path));
  const places = new Map<string, PackPlace>();
  for (const { path, bytes } of wanted) {
    const folder = foldersAbove(path).findLast((above) => skillFiles.has(above));
    const skillFile = folder === undefined ? undefined : skillFiles.get(folder);
    if (folder === undefined || skillFile === undefined) continue;
    const place = places.get(folder) ?? { folder, skillFile, files: [], oddities: [] };
    places.set(folder, place);
    if (path === skillFile) continue;
    if (folderOf(path) === folder && isSkillFile(nameOf(path)))
      place.oddities.push(spareSkillFile(nameOf(path), nameOf(skillFile)));
    else place.files.push({ path: folder === '' ? path : path.slice(folder.length + 1), bytes });
  }
  for (const { files } of places.values()) files.sort(byPath);
  return [...places.values()].toSorted((one, other) => compare(one.folder, other.folder));
};

/** By the folders of packs. The one called SKILL.md before one in other letters. */
const skillFilesByFolder = (paths: readonly string[]): Map<string, string> => {
  const found = new Map<string, string>();
  for (const path of paths.toSorted(compare)) {
    const folder = folderOf(path);
    if (isSkillFile(nameOf(path)) && !found.has(folder)) found.set(folder, path);
  }
  return new Map([...found].filter(([folder]) => !isWithinOwnFolder(folder, found)));
};

/** Whether a folder lies in the references, assets or scripts of a pack above it. */
const isWithinOwnFolder = (folder: string, skillFiles: ReadonlyMap<string, string>): boolean => {
  const parts = folder.split('/');
  const ownFolder = parts.slice(0, parts.findLastIndex(isOwnFolder) + 1);
  return ownFolder.some((_, depth) => skillFiles.has(parts.slice(0, depth).join('/')));
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Outermost first, the top among them. */
const foldersAbove = (path: string): string[] => {
  const parts = path.split('/');
  return parts.map((_, depth) => parts.slice(0, depth).join('/'));
};

/** By code units: the same order on every machine, and capitals before small letters. */
export const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);

export const byPath = (one: { path: string }, other: { path: string }): number =>
  compare(one.path, other.path);
