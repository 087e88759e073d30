import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { inject } from 'vitest';

import type { DatabaseLocation } from '../../src/platform/database/open-database.js';
import { onServer, testDatabaseUrl, urlOfDatabase } from './test-server.js';

export interface TestDatabase extends AsyncDisposable {
  location: DatabaseLocation;
}

interface TestDatabaseOptions {
  /** Servers come and go while it is there: it is in a folder instead of memory. */
  isLasting?: boolean;
  /** Without a table, in the place of a migrated one. */
  isEmpty?: boolean;
  /** On a server: empty, and opened by a role of its own, which owns it and is no superuser. */
  hasPlainOwner?: boolean;
}

/** A database of its own, migrated: in memory, or a new one on the server that TEST_DATABASE_URL names, dropped afterwards. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return testDatabaseUrl === null ? createEmbedded(options) : createOnServer(options);
}

let archive: Promise<Blob> | null = null;

async function read(file: string): Promise<Blob> {
  return new Blob([await readFile(file)]);
}

async function createEmbedded({
  isLasting = false,
  isEmpty = false,
}: TestDatabaseOptions): Promise<TestDatabase> {
  const database = { url: null, poolSize: 1 };
  const template = inject('databaseTemplate');
  if (!isLasting) {
    const copied = isEmpty ? {} : { template: await (archive ??= read(template)) };
    return { location: { database, dataDir: null, ...copied }, [Symbol.asyncDispose]: async () => undefined };
  }
  const { path: dataDir, [Symbol.asyncDispose]: remove } = await makeDataDir({ isEmpty });
  return { location: { database, dataDir }, [Symbol.asyncDispose]: remove };
}

/** A folder for `DATA_DIR`, with a migrated embedded database, which a server's first start would take seconds to make. */
export async function makeDataDir({ isEmpty = false } = {}): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'palabre-'));
  const template = join(dirname(inject('databaseTemplate')), 'postgres');
  if (!isEmpty) await cp(template, join(path, 'postgres'), { recursive: true });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function createOnServer({
  isEmpty = false,
  hasPlainOwner = false,
}: TestDatabaseOptions): Promise<TestDatabase> {
  const name = `palabre_test_${randomBytes(6).toString('hex')}`;
  if (hasPlainOwner) return createOwned(name);
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${isEmpty ? 'template1' : inject('databaseTemplate')}`);
  // No test crashes this server, so that no commit has to wait for the disk.
  await onServer(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  return {
    location: { database: { url: urlOfDatabase(name), poolSize: 8 }, dataDir: null },
    [Symbol.asyncDispose]: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

async function createOwned(name: string): Promise<TestDatabase> {
  // It inherits what the two roles may do, as it does by the statements that a start without rights asks for.
  await onServer(`CREATE ROLE ${name} LOGIN PASSWORD 'plain' IN ROLE palabre_app, palabre_system`);
  await onServer(`CREATE DATABASE ${name} OWNER ${name}`);
  const url = Object.assign(new URL(urlOfDatabase(name)), { username: name, password: 'plain' }).href;
  return {
    location: { database: { url, poolSize: 8 }, dataDir: null },
    [Symbol.asyncDispose]: async () => {
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
      await onServer(`DROP ROLE ${name}`);
    },
  };
}
