import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';

import { DomainError } from '../../common/errors/domain-error.js';
import { messageOf } from '../../common/errors/error-code.js';
import { UnusableDatabase } from './unusable-database.js';

/** PostgreSQL's own default of 128 MB is taken, and written to, from the start. What is read often fits into less. */
const SHARED_BUFFERS = '16MB';

/** PostgreSQL inside this process. */
interface EmbeddedPostgres {
  /** Options for the `pg` pool, in place of a host and a port. There is one connection. */
  poolOptions: object;
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL inside this process, with its state in `dataDir`, or in memory when that is null. In memory, for
 * tests, it can start from a `template`: a tar archive made by PGlite's dumpDataDir.
 */
export async function startEmbedded(dataDir: string | null, template?: Blob): Promise<EmbeddedPostgres> {
  const lock = dataDir === null ? null : await lockFolder(dataDir);
  try {
    const folder = dataDir === null ? 'memory://' : join(dataDir, 'postgres');
    const pglite = await create(folder, template);
    return {
      // Without an idle timeout: the pool would close the only connection and could not open another.
      poolOptions: { ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0 },
      close: async () => {
        await pglite.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

async function create(folder: string, template?: Blob): Promise<PGlite> {
  try {
    // Also without an embedder: vectors may be stored from earlier. It costs 0.1 s.
    return await PGlite.create(folder, {
      extensions: { vector },
      startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
      ...(template && { loadDataDir: template }),
    });
  } catch (error) {
    // PGlite's own failures, such as on a full disk, have no message.
    const reason = messageOf(error) && `: ${messageOf(error)}`;
    throw new UnusableDatabase(
      `The embedded database in ${folder} cannot be opened${reason}. Is there no space left? A new one needs about 40 MB. ` +
        'If there is, its files are damaged: put a backup of DATA_DIR in their place.',
      { cause: error },
    );
  }
}

/**
 * Locks `folder` for this process, until `release` or the end of the process, however it ends. Rejects with CONFLICT when
 * another process holds the lock, with UnusableDatabase when the folder cannot be written.
 *
 * It is a lock of the kernel, taken through the SQLite that Node ships. A pid file would survive a kill, and pids are
 * reused; in a container they are nearly always the same.
 */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
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
}

function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function inUse(folder: string, owner: string, cause: unknown): Promise<DomainError> {
  const pid = (await readFile(owner, 'utf8').catch(() => '')).trim();
  return new DomainError(
    'CONFLICT',
    `The embedded database in ${folder} is in use by another Palabre process${pid && ` (pid ${pid})`}. ` +
      'Use that running server, stop it first, or set DATABASE_URL to a PostgreSQL server, which many processes can share.',
    {},
    { cause },
  );
}

const SQLITE_BUSY = 5;

// Not `instanceof Error`: an error may come from another realm, such as a test runner's.
function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
