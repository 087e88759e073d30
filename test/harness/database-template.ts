import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { TestProject } from 'vitest/node';

import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { openResources } from '../../src/app/resources.js';
import { onServer, testDatabaseUrl, urlOfDatabase } from './test-server.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of an embedded database that is migrated, and the name of such a database on the server. */
    embeddedTemplate: string;
    serverTemplate: string | null;
  }
}

const cleanUp = new AsyncDisposableStack();

/** Migrates one database before all tests, so that each begins with a copy. */
export async function setup(project: TestProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'palabre-template-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  project.provide('embeddedTemplate', await migrateEmbedded(folder));
  project.provide('serverTemplate', testDatabaseUrl === null ? null : await migrateOnServer(folder));
}

export async function teardown(): Promise<void> {
  await cleanUp.disposeAsync();
}

async function migrateEmbedded(folder: string): Promise<string> {
  await migrate(null, folder);
  const embedded = await PGlite.create(join(folder, 'postgres'), { extensions: { vector } });
  const file = join(folder, 'template.tar');
  await writeFile(file, (await embedded.dumpDataDir('none')).stream());
  await embedded.close();
  return file;
}

async function migrateOnServer(folder: string): Promise<string> {
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
