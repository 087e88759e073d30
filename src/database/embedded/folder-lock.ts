import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { DomainError } from '../../common/errors/domain-error.js';
import { UnusableDatabase } from '../unusable-database.js';

/**
 * Takes `folder` for this process alone, until `release` or the process's end, however it ends. Rejects with CONFLICT
 * when another process has it, with UnusableDatabase when nothing can be written there.
 *
 * The lock is the kernel's, by way of the SQLite that Node ships: a pid file would outlive a kill, and pids are
 * used again (in a container they are nearly always the same).
 */
export const lockFolder = async (folder: string): Promise<{ release(): void }> => {
  const owner = join(folder, 'lock.pid');
  try {
    await mkdir(folder, { recursive: true });
    const lock = takeLock(join(folder, 'lock'));
    await writeFile(owner, String(process.pid));
    return { release: () => lock.close() };
  } catch (error) {
    if (isBusy(error)) throw await inUse(folder, owner, error);
    throw new UnusableDatabase(
      `The folder ${folder} cannot hold the embedded database: ${messageOf(error)}. Set DATA_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
};

const takeLock = (path: string): DatabaseSync => {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
};

const inUse = async (folder: string, owner: string, cause: unknown): Promise<DomainError> => {
  const pid = (await readFile(owner, 'utf8').catch(() => '')).trim();
  return new DomainError(
    'CONFLICT',
    `The embedded database in ${folder} is in use by another Palabre process${pid && ` (pid ${pid})`}. ` +
      'Use that running server, stop it first, or set DATABASE_URL to a PostgreSQL server, which many processes can share.',
    {},
    { cause },
  );
};

const SQLITE_BUSY = 5;

// Not `instanceof Error`: an error may come from another realm, such as a test runner's.
const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
