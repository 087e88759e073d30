import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';

import { DomainError } from '../../common/errors/domain-error.js';
import { messageOf } from '../../common/errors/error-code.js';
import { UnusableDatabase } from './unusable-database.js';

/** PostgreSQL's own default of 128 MB is taken, and written to, from the start. What is read often fits into less. */
const SHARED_BUFFERS = '16MB';

const IN_MEMORY = 'memory://';

/** Follows the name of a folder whose database is not complete. */
const UNFINISHED = '.new';

const INITIALISATION_LIMIT_MS = 300_000;

/** Ends when the process that started it is gone, but only after initdb, which does not yield. */
const INITIALISATION = `
  process.stdin.on('end', () => process.exit(1)).resume();
  require(process.argv[1]).PGlite.create(process.argv[2])
    .then((database) => database.close())
    .then(() => process.exit(0))
    .catch((error) => process.stderr.write(error?.message ?? '', () => process.exit(1)));`;

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
    const folder = dataDir === null ? IN_MEMORY : join(dataDir, 'postgres');
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
    if (folder !== IN_MEMORY && !existsSync(folder)) await initialise(folder);
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
 * Makes a new database, in another process: initdb takes 120 MB, which WebAssembly never gives back. The folder has its
 * name once it is complete, so that a process that is killed meanwhile leaves no damaged database. The process that it
 * started writes on for seconds, so each try has a folder of its own.
 */
async function initialise(folder: string): Promise<void> {
  await removeUnfinished(folder);
  const unfinished = `${folder}${UNFINISHED}-${randomUUID()}`;
  const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const options = { timeout: INITIALISATION_LIMIT_MS };
  await promisify(execFile)(process.execPath, ['-e', INITIALISATION, pglite, unfinished], options).catch(
    (error: { stderr: string }) => {
      throw new Error(error.stderr, { cause: error });
    },
  );
  await rename(unfinished, folder);
}

/** Repeated while another process still writes there. */
async function removeUnfinished(folder: string): Promise<void> {
  const parent = dirname(folder);
  const unfinished = (await readdir(parent)).filter((name) => name.startsWith(basename(folder) + UNFINISHED));
  for (const name of unfinished)
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 });
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
