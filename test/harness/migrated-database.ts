import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { openResources } from '../../src/app/resources.js';
import { onServer, testDatabaseUrl, urlOfDatabase } from './test-server.js';

/** A migrated database where the tests run, and the way to remove it. */
export async function makeTemplate(): Promise<{ place: string; remove: () => Promise<void> }> {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'palabre-template-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const place =
    testDatabaseUrl === null ? await migrateEmbedded(folder) : await migrateOnServer(folder, cleanUp);
  const kept = cleanUp.move();
  return { place, remove: () => kept.disposeAsync() };
}

async function migrateEmbedded(folder: string): Promise<string> {
  await migrate(null, folder);
  const embedded = await PGlite.create(join(folder, 'postgres'), { extensions: { vector } });
  // Half of its files, which nobody connects to: without them a copy is made in half of the time.
  await embedded.exec("UPDATE pg_database SET datistemplate = false WHERE datname LIKE 'template_'");
  for (const unused of ['template0', 'template1']) await embedded.exec(`DROP DATABASE ${unused}`);
  const file = join(folder, 'template.tar');
  await writeFile(file, (await embedded.dumpDataDir('none')).stream());
  await embedded.close();
  return file;
}

async function migrateOnServer(folder: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const name = `palabre_template_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  cleanUp.defer(() => onServer(`DROP DATABASE ${name} WITH (FORCE)`));
  await migrate(urlOfDatabase(name), folder);
  return name;
}

async function migrate(url: string | null, dataDir: string): Promise<void> {
  // Defines the jobs, whose queues belong to the template.
  await import('../../src/app/app.module.js');
  const config = readConfig({ DATA_DIR: dataDir });
  const location = { database: { url, poolSize: 4 }, dataDir };
  const resources = await openResources(config, createLogger({ level: 'silent', pretty: false }), {
    location,
  });
  await resources.close();
}
