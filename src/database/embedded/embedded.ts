import { join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { vector } from '@electric-sql/pglite-pgvector';

import { lockFolder } from './folder-lock.js';
import { UnusableDatabase } from '../unusable-database.js';

/** PostgreSQL inside this process. */
export interface EmbeddedPostgres {
  /** What the `pg` pool needs in place of a host and a port. There is one connection. */
  poolOptions: object;
  close(): Promise<void>;
}

/** Starts PostgreSQL inside this process, with its state in `dataDir`; null: in memory, for tests. */
export const startEmbedded = async (dataDir: string | null): Promise<EmbeddedPostgres> => {
  const lock = dataDir === null ? null : await lockFolder(dataDir);
  try {
    const folder = dataDir === null ? 'memory://' : join(dataDir, 'postgres');
    const pglite = await create(folder);
    return {
      // The one connection must outlive idle times: the pool would end it, and there is no second one to open.
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
};

const create = async (folder: string): Promise<PGlite> => {
  try {
    // Also where nothing is searched by meaning: vectors may be there from when something was, and it costs 0.1 s.
    return await PGlite.create(folder, { extensions: { vector } });
  } catch (error) {
    throw new UnusableDatabase(
      `The embedded database in ${folder} cannot be opened${reasonOf(error)}. Is there no space left? A new one needs about 40 MB. ` +
        'If there is, its files are damaged: put a backup of DATA_DIR in their place.',
      { cause: error },
    );
  }
};

/** What comes from inside the database, such as that the disk is full, is no Error and has no words. */
const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? `: ${String(error.message)}` : '';
