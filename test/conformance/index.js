/**
 * `npm run test:mcp-conformance`: the official conformance suite of the Model Context Protocol, which
 * npx fetches from the registry, against the built server with the offline model and with the fixtures that the suite
 * calls. What does not apply to Palabre, and why, stands in expected-*.yaml.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const REVISIONS = ['2026-07-28', '2025-11-25'];

function path(name) {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The suite sends no token, so each of its requests gets one on the way. `palabre`: once it is started. */
async function listenFor(palabre) {
  const proxy = createServer((request, response) => {
    const { url, token } = palabre;
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const onward = send(`${url}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return proxy;
}

async function startPalabre(dataDir, port) {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    CORS_ORIGINS: `http://localhost:${port},http://127.0.0.1:${port}`,
    MAX_OPERATIONS_PER_MINUTE: '1000000',
    MAX_THREAD_MS_PER_MINUTE: '1000000',
  };
  const program = ['--import', path('fixtures.js'), path('../../dist/app/main.js')];
  const server = spawn(process.execPath, program, {
    env,
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const part of server.stdout.setEncoding('utf8')) {
    said += part;
    const [, url] = /GraphQL +(http:\S+?)\/graphql/.exec(said) ?? [];
    const [, token] = /#token=([\w.-]+)/.exec(said) ?? [];
    if (url && token) return { server, url, token };
  }
  throw new Error(said);
}

/** Resolves with whether the suite is content. */
async function suite(...commandLine) {
  const running = spawn('npx', ['--yes', SUITE, ...commandLine], { stdio: 'inherit' });
  const [code] = await once(running, 'close');
  return code === 0;
}

function tryServer(revision, url) {
  const expected = ['--expected-failures', path(`expected-${revision}.yaml`)];
  return suite('server', '--url', url, '--requirements', revision, ...expected);
}

const SIGNING_IN = [
  'auth/metadata-default',
  'auth/metadata-var1',
  'auth/metadata-var2',
  'auth/metadata-var3',
  'auth/basic-cimd',
  'auth/scope-from-www-authenticate',
  'auth/scope-from-scopes-supported',
  'auth/scope-omitted-when-undefined',
  'auth/scope-step-up',
  'auth/scope-retry-limit',
  'auth/token-endpoint-auth-basic',
  'auth/token-endpoint-auth-post',
  'auth/token-endpoint-auth-none',
  'auth/pre-registration',
];

/** All that a revision requires of clients. */
const CLIENT_SCENARIOS = {
  '2026-07-28': [
    'tools_call',
    'request-metadata',
    'sep-2322-client-request-state',
    'http-standard-headers',
    'http-custom-headers',
    'http-invalid-tool-headers',
    'json-schema-ref-no-deref',
    ...SIGNING_IN,
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
  ],
  '2025-11-25': [
    'initialize',
    'tools_call',
    'elicitation-sep1034-client-defaults',
    'sse-retry',
    ...SIGNING_IN,
  ],
};

async function tryClient(revision) {
  const command = `${process.execPath} ${path('client.js')}`;
  let isContent = true;
  for (const scenario of CLIENT_SCENARIOS[revision]) {
    const which = ['--scenario', scenario, '--spec-version', revision];
    isContent = (await suite('client', '--command', command, ...which)) && isContent;
  }
  return isContent;
}

const dataDir = await mkdtemp(join(tmpdir(), 'palabre-conformance-'));
const palabre = { server: null, url: '', token: '' };
const proxy = await listenFor(palabre);
try {
  const { port } = proxy.address();
  Object.assign(palabre, await startPalabre(dataDir, port));
  for (const revision of REVISIONS) {
    const isServerFine = await tryServer(revision, `http://localhost:${port}/mcp`);
    const isClientFine = await tryClient(revision);
    if (!isServerFine || !isClientFine) process.exitCode = 1;
  }
} finally {
  const { server } = palabre;
  server?.kill('SIGTERM');
  if (server && server.exitCode === null) await once(server, 'close');
  proxy.closeAllConnections();
  proxy.close();
  await rm(dataDir, { recursive: true, force: true });
}
