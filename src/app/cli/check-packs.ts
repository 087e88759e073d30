import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { O200kTokenizer } from '@palabre/llm-client';
import {
  checkStrictly,
  findPackFolders,
  isSkillFile,
  PackRefused,
  readPackArchiveFile,
} from '@palabre/skill-pack';

import { packRemarkIn } from '../../skills/skill-names.js';

interface CheckedPack {
  path: string;
  faults: readonly string[];
}

/** Strictly checks a pack with its sub-packs, a folder of packs, or an archive. Rejects with PackRefused. */
export async function checkPacks(path: string): Promise<CheckedPack[]> {
  const target = resolve(path);
  const found = await stat(target).catch(() => null);
  if (!found) throw new PackRefused(`There is no ${path}.`);
  const checked = found.isDirectory() ? await checkFolder(target) : await checkArchive(target);
  if (checked.length === 0) throw new PackRefused(`There is no SKILL.md in ${path}.`);
  return checked;
}

const tokenizer = new O200kTokenizer();

function faultsOf(skillMd: Uint8Array, folder: string): string[] {
  return checkStrictly(skillMd, basename(folder), (text) => tokenizer.count(text));
}

async function checkFolder(target: string): Promise<CheckedPack[]> {
  const isPack = (await Promise.all(['SKILL.md', 'skill.md'].map(isThere(target)))).some(Boolean);
  // The folders above a single pack are not categories.
  const found = await findPackFolders(isPack ? dirname(target) : target);
  const [name, below] = [basename(target), `${basename(target)}/`];
  const isWanted = (path: string): boolean => !isPack || path === name || path.startsWith(below);
  const checked = await Promise.all(
    found.folders
      .filter(({ folder }) => isWanted(folder))
      .map(async ({ folder, directory, skillFile, oddities }) => ({
        path: folder,
        faults: [
          ...faultsOf(await readFile(join(directory, skillFile)), folder),
          ...oddities.map((oddity) => packRemarkIn(oddity, 'en')),
        ],
      })),
  );
  const refused = found.refused.filter(({ path }) => isWanted(path));
  return [...checked, ...refused.map(({ path, reason }) => ({ path, faults: [reason] }))];
}

function isThere(folder: string) {
  return async (name: string): Promise<boolean> =>
    isSkillFile(name) && (await stat(join(folder, name)).catch(() => null)) !== null;
}

async function checkArchive(target: string): Promise<CheckedPack[]> {
  const options = { fileName: basename(target), signal: AbortSignal.timeout(60_000) };
  const { packs, refused } = await readPackArchiveFile(target, options);
  return [
    ...packs.map(({ key, skillMd }) => ({ path: key, faults: faultsOf(skillMd, key) })),
    ...refused.map(({ path, reason }) => ({ path, faults: [reason] })),
  ];
}
