import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import pg from 'pg';
import { parse } from 'yaml';
import { z } from 'zod';

import { entities } from '../../src/app/entities.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { hasOwnPostgres, OwnPostgres } from '../harness/own-postgres.js';

const Compose = z.object({ configs: z.object({ roles: z.object({ content: z.string() }) }) });
const file = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const script = Compose.parse(parse(file, { merge: true })).configs.roles.content.replaceAll('$$', '$');

const PASSWORD = 'b0gus';

it.skipIf(!hasOwnPostgres)('compose gives the server a role that row-level security holds', async () => {
  await using postgres = await OwnPostgres.start();
  const admin = new pg.Client(postgres.url);
  await admin.connect();
  await admin.query('CREATE DATABASE palabre');
  // As the image runs it.
  await promisify(execFile)('sh', ['-c', script], {
    env: {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: String(postgres.port),
      POSTGRES_USER: 'postgres',
      POSTGRES_PASSWORD: PASSWORD,
      POSTGRES_DB: 'palabre',
    },
  });
  const { rows } = await admin.query(
    `SELECT rolname AS name, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS "mayDoMore",
       rolpassword IS NOT NULL AS "hasPassword" FROM pg_authid WHERE rolname IN ('palabre', 'postgres') ORDER BY 1`,
  );
  await admin.end();
  expect(rows).toEqual([
    { name: 'palabre', mayDoMore: false, hasPassword: true },
    { name: 'postgres', mayDoMore: true, hasPassword: false },
  ]);
  const url = `postgres://palabre:${PASSWORD}@127.0.0.1:${postgres.port}/palabre`;
  // All tables and policies are made by it.
  const { close } = await openDatabase({ database: { url, poolSize: 3 }, dataDir: null }, entities);
  await close();
});
