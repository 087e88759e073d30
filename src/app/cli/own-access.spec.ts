import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedServer, type Script, textDelta, turnDone } from '@palabre/client/scripted-server.double.js';
import { runAsk } from '@palabre/cli';

import { localSecret } from '../../companies/auth/local-secret.js';
import { TokenVerifier } from '../../companies/auth/token-verifier.js';
import { ownAsk } from './own-access.js';

let dataDir: string;
let server: ScriptedServer;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'palabre-ask-'));
});
afterEach(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(script: Script = { events: () => [textDelta(1, 'Bonjour.'), turnDone(2)] }) {
  server = await ScriptedServer.start(script);
}

async function ask(env: object = {}) {
  let out = '';
  let error = '';
  const terminal = {
    env: { DATA_DIR: dataDir, PALABRE_URL: server.url, ...env },
    isTTY: false,
    out: (text: string) => (out += text),
    error: (text: string) => (error += text),
    readInput: async () => '',
    interruptSignal: () => new AbortController().signal,
  };
  const code = await runAsk(['Bonjour'], terminal, ownAsk);
  return { code, out, error };
}

it('asks the assistant of this distribution, and says how to go on', async () => {
  await start();
  const { code, out } = await ask();
  expect(code).toBe(0);
  expect(server.inputs).toMatchObject([{ message: 'Bonjour', assistantKey: 'mefali' }]);
  expect(out).toContain('npm run -s ask -- --conversation conversation-1 "…"');
});

it('signs in as an admin of the demo company with the secret of this folder', async () => {
  await start();
  await ask();
  const token = String(server.authorizations[0]).replace('Bearer ', '');
  const verifier = new TokenVerifier({ secret: await localSecret(dataDir) });
  await expect(verifier.verify(token)).resolves.toMatchObject({
    companySlug: 'demo',
    role: 'ADMIN',
    email: 'demo@example.org',
  });
});

it('explains what to do about a token of its own that the server does not take', async () => {
  await start({ admits: () => false });
  const { code, error } = await ask();
  expect(code).toBe(2);
  expect(error).toMatch(/\(UNAUTHENTICATED\)\n.* for the company demo, as PALABRE_TOKEN is not set/);
  expect((await ask({ PALABRE_TOKEN: 'given' })).error).not.toContain('PALABRE_TOKEN');
});

it('exits with 2 when the identity provider makes the tokens and none was given', async () => {
  await start();
  const { code, error } = await ask({ AUTH_JWKS_URL: 'https://id.example.org/jwks' });
  expect(code).toBe(2);
  expect(error).toContain('PALABRE_TOKEN must be');
});
