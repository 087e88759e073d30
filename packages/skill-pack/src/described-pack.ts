import { createHash } from 'node:crypto';
import { SkillError } from '@palabre/plugin';

import type { Pack, PackFile } from './pack.js';
import { nearestPaths, PackPaths, tidyPath } from './pack-paths.js';
import { NoSuchPackFile } from './pack-file-errors.js';
import { categoryOf, isSkillFile, MAX_FILES, nameOf, packKeyOf } from './pack-layout.js';
import { PackRefused } from './pack-refused.js';
import { inShort, oneLine, parseSkillMd } from './skill-md.js';

/** Of a SKILL.md, and of any other file of a pack that a model may read. */
export const MAX_READ_BYTES = 1_000_000;

const MEGABYTE = 1_000_000;

const MAX_NEAREST = 10;

/** A pack without its content. */
export type PackFacts = Omit<Pack, 'version' | 'readBody' | 'readFile'>;

/** Where a pack's content comes from. Both give at most MAX_READ_BYTES, and reject with PackRefused in words for people. */
export interface PackContent {
  skillMd(signal: AbortSignal): Promise<Buffer>;
  file(path: string, signal: AbortSignal): Promise<Buffer>;
}

/** Describes a pack by its SKILL.md and the names of its files. Throws PackRefused. `folder` is relative to where packs are kept. */
export function describePack(
  folder: string,
  skillMd: Uint8Array,
  files: readonly PackFile[],
  oddities: readonly string[] = [],
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

/** The pack with a warning for each assistant that it names and that does not exist. */
export function withUnknownAssistants<Described extends Pick<Pack, 'assistants' | 'warnings'>>(
  pack: Described,
  known: { has(key: string): boolean },
): Described {
  const unknown = (pack.assistants ?? [])
    .filter((key) => !known.has(key))
    .slice(0, 10)
    .map((key) => `palabre-assistants names ${inShort(key)}, which is no assistant's key.`);
  return { ...pack, warnings: [...pack.warnings, ...unknown] };
}

function tooLargeAmong(files: readonly PackFile[]): string[] {
  return files
    .filter(({ bytes }) => bytes > MAX_READ_BYTES)
    .slice(0, 10)
    .map(
      ({ path }) =>
        `The file ${inShort(path)} is larger than ${inMegabytes(MAX_READ_BYTES)}: no model can read it.`,
    );
}

export function inMegabytes(bytes: number): string {
  return `${Math.round((bytes / MEGABYTE) * 10) / 10} MB`;
}

/** `read` gives a file of the pack by its path; null: it is larger than MAX_READ_BYTES. */
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

/** Throws PackRefused for a SKILL.md that is too large. */
export function checkSkillMdSize(bytes: number): void {
  if (bytes > MAX_READ_BYTES)
    throw new PackRefused(
      `The SKILL.md is larger than ${inMegabytes(MAX_READ_BYTES)}: move most of it to references/.`,
    );
}

/**
 * The pack itself. What cannot be read is a SkillError, which tells the model that it has to do without. `stamp`: another
 * as soon as any of its files is.
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
