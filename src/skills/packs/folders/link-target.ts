import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

export interface Target {
  /** Without links on the way. */
  path: string;
  facts: BigIntStats;
}

/** Where a path leads in the end; null: to nothing that could be looked at. */
export const behind = async (path: string): Promise<Target | null> => {
  try {
    return await at(await realpath(path));
  } catch {
    return null;
  }
};

/** What stands there, be it a link; null: nothing that could be looked at. */
export const at = async (path: string): Promise<Target | null> => {
  try {
    return { path, facts: await lstat(path, { bigint: true }) };
  } catch {
    return null;
  }
};

/** Both without links on the way. */
export const isWithin = (directory: string, path: string): boolean => {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};
