import { isIgnoredPath, isSkillFile } from '../pack-layout.js';
import type { ZipContent, ZipEntry } from './zip-entries.js';

/** What `git archive`, and with it GitHub, writes as an archive's comment. */
const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/** How the folder ends that is around everything, once somebody has packed it anew. */
const BRANCH = /-(?:main|master|[\da-f]{40}|v?\d+(?:\.\d+)+)$/;

/**
 * The files of an archive, without the folder that a repository's has around everything, such as `skills-main`: it would
 * be a category in every key, and another with every version. Nothing but such a folder is taken away, as any other may
 * be meant as a category.
 */
export const withoutWrapper = ({ entries, comment }: ZipContent): ZipEntry[] => {
  const wanted = entries.filter(({ path }) => !isIgnoredPath(path));
  const [top = ''] = wanted[0]?.path.split('/') ?? [];
  const prefix = `${top}/`;
  const isAround = wanted.every(({ path }) => path.startsWith(prefix));
  const isPack = wanted.some(({ path }) => isSkillFile(path.slice(prefix.length)));
  if (!isAround || isPack || !(COMMIT.test(comment) || BRANCH.test(top))) return [...entries];
  return wanted.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) }));
};
