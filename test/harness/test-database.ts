import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import type { DatabaseLocation } from '../../src/database/open-database.js';

/** A PostgreSQL server to run the same tests on; without it they run on the embedded database alone. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL ?? null;

export interface TestDatabase extends AsyncDisposable {
  location: DatabaseLocation;
}

/**
 * An empty database: in memory, or a new one on the server that TEST_DATABASE_URL names, dropped afterwards. One that is
 * to last while servers come and go is in a folder instead of memory.
 */
export const createTestDatabase = async ({ isLasting = false } = {}): Promise<TestDatabase> => {
  if (testDatabaseUrl === null) {
    const dataDir = isLasting ? await mkdtemp(join(tmpdir(), 'palabre-')) : null;
    return {
      location: { database: { url: null, poolSize: 1 }, dataDir },
      [Symbol.asyncDispose]: async () => {
        if (dataDir !== null) await rm(dataDir, { recursive: true, force: true });
      },
    };
  }
  const name = `palabre_test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(testDatabaseUrl);
  url.pathname = `/${name}`;
  return {
    location: { database: { url: url.href, poolSize: 8 }, dataDir: null },
    [Symbol.asyncDispose]: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
};

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: testDatabaseUrl ?? undefined });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};
