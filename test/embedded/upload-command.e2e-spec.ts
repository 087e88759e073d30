import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runUpload } from '@palabre/cli';

import { ownUpload } from '../../src/app/cli/own-access.js';
import { CuttableProxy } from '../harness/cuttable-proxy.js';
import { searchDocuments } from '../harness/document-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

let folder: string;
/** Where the server is for clients: it has to know before it has an address. */
let front: CuttableProxy;
let app: TestApp;
let ada: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-upload-'));
  front = await CuttableProxy.to('http://127.0.0.1:1');
  app = await startApp([], { PUBLIC_URL: front.url });
  front.leadTo(app.url);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await front[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  ada = await app.client({ company: await app.company() });
});

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function upload(files: string[], env: Record<string, string> = {}) {
  let out = '';
  let error = '';
  const terminal = {
    env: { PALABRE_URL: front.url, PALABRE_TOKEN: ada.token ?? '', ...env },
    isTTY: false,
    out: (text: string) => (out += text),
    error: (text: string) => (error += text),
  };
  const code = await runUpload(files, terminal, ownUpload);
  return { code, out, error };
}

it('sends files, and says when each can be searched', async () => {
  const note = await fileOf('note.md', '# Récolte\n\nLe karité de Kolda est mûr en juillet.\n');
  const { code, out, error } = await upload([note]);
  expect(error).toBe('  1 passage\n');
  expect(out).toMatch(/^[\da-f-]{36} COMPLETED note\.md\n$/);
  expect(code).toBe(0);
  const [found] = await searchDocuments(ada, 'karité de Kolda');
  expect(found?.document.id).toBe(out.slice(0, 36));
});

it('tells what is wrong with one, and goes on with the others', async () => {
  const image = await fileOf(
    'plan.pdf',
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  );
  const note = await fileOf('suite.txt', 'La coopérative compte 46 personnes.');
  const { code, out, error } = await upload([join(folder, 'none.pdf'), folder, image, note]);
  expect(out.split('\n')).toHaveLength(3);
  expect(out).toMatch(/^[\da-f-]{36} FAILED plan\.pdf$/m);
  expect(out).toMatch(/^[\da-f-]{36} COMPLETED suite\.txt$/m);
  expect(error).toContain('none.pdf: there is no such file.');
  expect(error).toContain('this is no file.');
  expect(error).toContain('PNG');
  expect(code).toBe(1);
});

it('says why nothing is taken', async () => {
  const note = await fileOf('note.txt', 'Bonjour.');
  expect(await upload([note], { PALABRE_TOKEN: 'none' })).toMatchObject({
    code: 2,
    error: expect.stringContaining('(UNAUTHENTICATED)'),
  });
  expect(await upload([note], { PALABRE_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 3 });
  expect(await upload([])).toMatchObject({ code: 2 });
});
