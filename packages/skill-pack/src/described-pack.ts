import { createHash } from 'node:crypto';
import { SkillError } from '@palabre/plugin';

import type { Pack, PackFile } from './pack.js';
import { nearestPaths, PackPaths, tidyPath } from './pack-paths.js';
import { NoSuchPackFile } from './pack-file-errors.js';
import { categoryOf, isSkillFile, MAX_FILES, nameOf, packKeyOf } from './pack-layout.js';
import { PackRefused } from './pack-refused.js';
import { type PackRemark, packRemark } from './pack-remark.js';
import { inShort, oneLine, parseSkillMd } from './skill-md.js';

/** The most bytes of a SKILL.md, and of any other file of a pack that a model may read. */
export const MAX_READ_BYTES = 1_000_000;

const MEGABYTE = 1_000_000;

const MAX_NEAREST = 10;

/** A pack without its content. */
export type PackFacts = Omit<Pack, 'version' | 'readBody' | 'readFile'>;

/** Reads a pack's content. Both functions give at most MAX_READ_BYTES, and reject with PackRefused. */
export interface PackContent {
  skillMd(signal: AbortSignal): Promise<Buffer>;
  file(path: string, signal: AbortSignal): Promise<Buffer>;
}

/** Describes a pack by its SKILL.md and file names. Throws PackRefused. `folder` is relative to the folder of packs. */
export function describePack(
  folder: string,
  skillMd: Uint8Array,
  files: readonly PackFile[],
  oddities: readonly PackRemark[] = [],
): PackFacts {
  const key = packKeyOf(folder);
  if (files.length > MAX_FILES)
    throw new PackRefused(`It has more than ${MAX_FILES} files: leave out what no model has to read.`);
  const { name, title, description, assistants, warnings } = parseSkillMd(skillMd, nameOf(folder));
  return {
    key,
    name: title ?? name ?? nameOf(key),
    category: categoryOf(key),
    description,
    assistants,
    warnings: [...warnings, ...oddities, ...tooLargeAmong(files)],
    files,
  };
}

/** Adds a warning for each unknown assistant that the pack names. */
export function withUnknownAssistants<Described extends Pick<Pack, 'assistants' | 'warnings'>>(
  pack: Described,
  known: { has(key: string): boolean },
): Described {
  const unknown = (pack.assistants ?? [])
    .filter((key) => !known.has(key))
    .slice(0, 10)
    .map((key) => packRemark('UNKNOWN_ASSISTANT', { key: inShort(key) }));
  return { ...pack, warnings: [...pack.warnings, ...unknown] };
}

function tooLargeAmong(files: readonly PackFile[]): PackRemark[] {
  return files
    .filter(({ bytes }) => bytes > MAX_READ_BYTES)
    .slice(0, 10)
    .map(({ path }) => packRemark('LARGE_FILE', { path: inShort(path), most: inMegabytes(MAX_READ_BYTES) }));
}

export function inMegabytes(bytes: number): string {
  return `${Math.round((bytes / MEGABYTE) * 10) / 10} MB`;
}

/** `read` gives a file of the pack by path. Null: larger than MAX_READ_BYTES. */
export function contentOf(
  skillFile: string,
  read: (path: string, signal: AbortSignal) => Promise<Buffer | null>,
): PackContent {
  return {
    skillMd: async (signal) => {
      const content = await read(skillFile, signal);
      checkSkillMdSize(content?.byteLength ?? Infinity);
      return content ?? Buffer.alloc(0);
    },
    file: async (path, signal) => {
      const content = await read(path, signal);
      if (content) return content;
      throw new PackRefused(`The file ${inShort(path)} is larger than ${inMegabytes(MAX_READ_BYTES)}.`);
    },
  };
}

/** Throws PackRefused for a too large SKILL.md. */
export function checkSkillMdSize(bytes: number): void {
  if (bytes > MAX_READ_BYTES)
    throw new PackRefused(
      `The SKILL.md is larger than ${inMegabytes(MAX_READ_BYTES)}: move most of it to references/.`,
    );
}

/**
 * The pack with its content. A file that cannot be read becomes a SkillError, so that the model goes on without it.
 * `stamp` changes with any of its files.
 */
export function packOf(facts: PackFacts, content: PackContent, stamp: string): Pack {
  const paths = new PackPaths(facts.files.map(({ path }) => path));
  return {
    ...facts,
    version: createHash('sha256').update(stamp).digest('base64url'),
    readBody: async (signal) => {
      const skillMd = await forModel(facts.key, signal, () => content.skillMd(signal));
      return forModel(facts.key, signal, async () => parseSkillMd(skillMd, null).body);
    },
    readFile: async (wanted, signal) => {
      const path = paths.find(wanted);
      if (path === null) throw noSuchFile(facts, wanted);
      return forModel(facts.key, signal, () => content.file(path, signal));
    },
  };
}

function noSuchFile({ key, files }: PackFacts, wanted: string): NoSuchPackFile {
  const isPack = isSkillFile(nameOf(wanted));
  const paths = files.map(({ path }) => path);
  const nearest = nearestPaths(tidyPath(wanted), paths, MAX_NEAREST).map(oneLine);
  return new NoSuchPackFile({ key, path: inShort(wanted) }, nearest, isPack);
}

async function forModel<Result>(
  key: string,
  signal: AbortSignal,
  read: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PackRefused)) throw error;
    throw new SkillError(`The skill ${key} cannot be read now. ${error.message}`, { cause: error });
  }
}
