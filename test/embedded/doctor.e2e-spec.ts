import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { startScriptedProvider, status } from '@palabre/llm-client/scripted-provider.double.js';

import type { Finding } from '../../src/app/cli/doctor.js';
import { runPalabre } from '../../src/app/cli/palabre-program.js';
import { lockFolder } from '../../src/platform/database/embedded-database.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { entities } from '../../src/app/entities.js';

let database: TestDatabase;
let dataDir: string;
let settings: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase({ isLasting: true });
  const { url } = database.location.database;
  dataDir = database.location.dataDir ?? (await mkdtemp(join(tmpdir(), 'palabre-doctor-')));
  settings = { DATA_DIR: dataDir, ...(url !== null && { DATABASE_URL: url }) };
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

async function examined(env: Record<string, string>) {
  let out = '';
  let error = '';
  const code = await runPalabre(['doctor', '--json'], {
    env: { ...settings, ...env },
    out: (words) => (out += words),
    error: (words) => (error += words),
  });
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  const of = (check: string): Finding[] => findings.filter((finding) => finding.check === check);
  return { code, ok, error, of };
}

function isEmbedded(): boolean {
  return database.location.database.url === null;
}

it('finds an installation without settings in order, and says that its model is none', async () => {
  const { code, ok, of } = await examined({});
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  const place = isEmbedded() ? 'Embedded' : 'On a server';
  expect(of('database')[0]).toEqual({
    check: 'database',
    status: 'ok',
    message: expect.stringMatching(`^${place}, PostgreSQL 1\\d`),
  });
  expect(of('database').map(({ status: found }) => found)).not.toContain('problem');
  expect(of('model')).toEqual([expect.objectContaining({ status: 'warning' })]);
  for (const check of ['settings', 'node', 'time zone', 'sign-in', 'embedder'])
    expect(of(check)).toEqual([expect.objectContaining({ check, status: 'ok' })]);
});

it('says what to do, in lines for people', async () => {
  let out = '';
  const terminal = { env: settings, out: (words: string) => void (out += words), error: () => undefined };
  expect(await runPalabre(['doctor'], terminal)).toBe(0);
  expect(out).toMatch(/^warning {2}model {6,}The offline model answers.*\n +→ Set LLM_BASE_URL/m);
});

it('names every setting that is wrong', async () => {
  const { code, of, error } = await examined({ PORT: 'four', LLM_MODEL: 'm' });
  expect(code).toBe(1);
  expect(of('settings').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^PORT must be/),
    expect.stringMatching(/^LLM_BASE_URL must be set/),
  ]);
  expect(error).toContain('2 problems');
});

it('asks the model and the embedder', async () => {
  const embed = (texts: readonly string[]) => ({ vectors: texts.map(() => [1, 0, 0]) });
  await using provider = await startScriptedProvider([[text('Hi.'), finish()], [status(401)]], embed);
  const model = { LLM_BASE_URL: provider.baseUrl, LLM_MODEL: 'scripted', EMBEDDING_MODEL: 'embedder' };
  const good = await examined(model);
  expect(good.of('model')).toEqual([{ check: 'model', status: 'ok', message: 'scripted answers.' }]);
  expect(good.of('embedder')).toEqual([
    { check: 'embedder', status: 'ok', message: 'embedder answers, with 3 dimensions.' },
  ]);
  const bad = await examined({ ...model, LLM_API_KEY: 'wrong', EMBEDDING_DIMENSIONS: '4' });
  expect(bad.code).toBe(1);
  expect(bad.of('model')).toEqual([
    expect.objectContaining({ status: 'problem', message: expect.stringContaining('LLM_API_KEY') }),
  ]);
  expect(bad.of('embedder')).toEqual([expect.objectContaining({ status: 'problem' })]);
  for (const check of ['model', 'embedder'])
    expect(bad.of(check)).toEqual([
      expect.objectContaining({ advice: expect.stringMatching(/^(Check|Set) /) }),
    ]);
});

it('finds an identity provider and a database that are away', async () => {
  const idp = createServer((_request, response) => void response.writeHead(503).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => idp.once('listening', resolve));
  const { port } = idp.address() as AddressInfo;
  try {
    const { code, of } = await examined({
      AUTH_JWKS_URL: `http://127.0.0.1:${port}/jwks`,
      AUTH_ISSUER: '*',
      AUTH_AUDIENCE: '*',
      PUBLIC_URL: 'http://localhost:4000',
      AUTH_OIDC_ISSUER: `http://127.0.0.1:${port}/`,
      AUTH_OIDC_CLIENT_ID: 'palabre',
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    });
    expect(code).toBe(1);
    expect(of('sign-in')).toEqual(
      ['AUTH_JWKS_URL', 'AUTH_OIDC_ISSUER'].map((setting) => ({
        check: 'sign-in',
        status: 'problem',
        message: 'The identity provider answers with 503.',
        advice: expect.stringContaining(`Check ${setting},`),
      })),
    );
    expect(of('database')).toEqual([
      expect.objectContaining({ status: 'problem', message: expect.stringContaining('Check DATABASE_URL') }),
    ]);
  } finally {
    idp.close();
  }
});

it('finds what stands open to other companies, and a migration that is missing', async () => {
  const change = async (...statements: string[]): Promise<void> => {
    const { database: opened, close } = await openDatabase(database.location, entities);
    try {
      for (const statement of statements) await opened.dataSource.query(statement);
    } finally {
      await close();
    }
  };
  await change(
    'ALTER TABLE memory NO FORCE ROW LEVEL SECURITY',
    'DELETE FROM migration WHERE timestamp = (SELECT max(timestamp) FROM migration)',
  );
  const { code, of } = await examined({});
  expect(code).toBe(1);
  expect(of('database')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ status: 'problem', message: 'Row-level security is off for memory.' }),
      expect.objectContaining({ status: 'warning', message: '1 migrations are pending.' }),
    ]),
  );
});

it('leaves the embedded database to the server that has it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palabre-doctor-'));
  const env = { DATA_DIR: folder, DATABASE_URL: '' };
  try {
    const before = await examined(env);
    expect(before.of('database')).toEqual([
      expect.objectContaining({ status: 'ok', message: expect.stringContaining('for the first time') }),
    ]);
    await mkdir(join(folder, 'postgres'));
    const lock = await lockFolder(folder);
    const { code, of } = await examined(env);
    lock.release();
    expect(code).toBe(0);
    expect(of('database')).toEqual([
      expect.objectContaining({ status: 'ok', message: expect.stringContaining('A server is running') }),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
