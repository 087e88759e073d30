import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { DomainError } from '../common/domain-error.js';

/**
 * Takes `folder` for this process alone, until `release` or the process's end, however it ends.
 * Rejects with CONFLICT when another process has it.
 *
 * The lock is the kernel's, by way of the SQLite that Node ships: a pid file would outlive a kill, and pids are
 * used again (in a container they are nearly always the same).
 */
export const lockFolder = async (folder: string): Promise<{ release(): void }> => {
  await mkdir(folder, { recursive: true });
  const owner = join(folder, 'lock.pid');
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    const pid = (await readFile(owner, 'utf8').catch(() => '')).trim();
    throw new DomainError(
      'CONFLICT',
      `The embedded database in ${folder} is in use by another Palabre process${pid && ` (pid ${pid})`}. ` +
        'Use that running server, stop it first, or set DATABASE_URL to a PostgreSQL server, which many processes can share.',
      {},
      { cause: error },
    );
  }
  await writeFile(owner, String(process.pid));
  return { release: () => lock.close() };
};

const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
