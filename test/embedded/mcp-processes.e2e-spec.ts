import { mkdtemp, readFile, rm, watch } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { UndiciOutboundHttp } from '@palabre/outbound';
import { LocalSite } from '@palabre/outbound/local-site.double.js';

import { SystemClock } from '../../src/common/clock.js';
import { createLogger } from '../../src/common/process/logger.js';
import type { SkillContext } from '../../src/skills/skill.js';
import { ChildLink } from '../../src/skills/mcp/client/child-link.js';
import { HttpLink } from '../../src/skills/mcp/client/http-link.js';
import { McpConnection } from '../../src/skills/mcp/client/mcp-connection.js';
import { serverEcho } from '../../src/skills/http/secret-echo.js';
import { OddServer, type Reply } from '../harness/mcp-odd-server.js';
import { eventually } from '../harness/eventually.js';

const everything = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
const logger = createLogger({ level: 'silent', pretty: false });
const context = {
  signal: new AbortController().signal,
  progress: () => undefined,
} as unknown as SkillContext;

function made(open: () => HttpLink | ChildLink): McpConnection {
  return new McpConnection(
    { key: 'tested', echo: serverEcho([]), held: new Map(), open },
    {
      clock: new SystemClock(),
      logger,
      reopens: 'when-needed',
      listedAt: new Date(),
      idleMs: null,
      onListing: () => Promise.resolve(),
      onFailure: () => Promise.resolve(),
    },
  );
}

function call(connection: McpConnection, tool: string) {
  return connection.call(
    { tool, parameters: { type: 'object' }, outputSchema: null, timeoutMs: 20_000, idempotent: true },
    {},
    context,
  );
}

/** Whether a process runs, and is not only waiting to be counted out. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  return status !== null && !/^State:\s+Z/m.test(status);
}

/** What a file holds once there is something in it. */
async function written(folder: string, name: string): Promise<string> {
  const watcher = watch(folder);
  for (;;) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text;
    await watcher.next();
  }
}

// Elsewhere nobody tells which processes a command has started.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('a server that is a process', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palabre-mcp-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('takes along what its command has started', async () => {
    const script = `sleep 60 & echo $! >> ${folder}/sleepers; ${process.execPath} ${everything} stdio; true`;
    const connection = made(
      () => new ChildLink({ command: '/bin/sh', args: ['-c', script], env: {} }, () => {}),
    );
    expect((await connection.list()).tools.length).toBeGreaterThan(0);
    // The last: before it the client has tried the command to see which era of the protocol it speaks.
    const sleeper = Number((await written(folder, 'sleepers')).trim().split('\n').at(-1));
    expect(await isAlive(sleeper)).toBe(true);
    await connection.close();
    // It has its signal by then, and dies of it when the system has time.
    await eventually(
      () => isAlive(sleeper),
      (is) => !is,
    );
  });
});

describe('a server that answers one call with what is of no use', () => {
  const error = { code: -32_603, message: 'The disk is full.' };
  it.each<[string, Reply, string]>([
    ['no result', { result: { content: [], isError: 'no' } }, 'not what the protocol asks for'],
    ['no access', { status: 403 }, 'HTTP 403'],
    ['a request that is too large', { status: 413 }, 'HTTP 413'],
    ['too many requests', { status: 429 }, 'too often (HTTP 429)'],
    ['a fault', { status: 500 }, 'HTTP 500'],
    ['a fault in the words of the protocol', { status: 500, error }, 'HTTP 500: The disk is full.'],
    ['a refusal in the words of the protocol', { status: 400, error }, 'HTTP 400: The disk is full.'],
    ['a page', { raw: '<html>', type: 'text/html' }, 'does not answer as an MCP server'],
    ['broken JSON', { raw: '{oops' }, 'does not answer as an MCP server'],
    ['nothing', 'cut', 'broke off'],
  ])('as %s fails that call alone', async (_, reply, words) => {
    await using odd = await OddServer.start();
    await using http = new AsyncDisposableStack();
    const outbound = http.adopt(new UndiciOutboundHttp({ allow: ['127.0.0.1'] }), (client) => client.close());
    odd.tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
    const connection = made(
      () =>
        new HttpLink(outbound, {
          company: 'a',
          url: odd.url,
          headers: {},
          timeoutMs: 20_000,
          isOperators: false,
        }),
    );
    const slow = Promise.withResolvers<Reply>();
    odd.onCall = () => slow.promise;
    const asked = odd.hears('tools/call');
    const other = call(connection, 'echo');
    await asked;
    odd.onCall = () => reply;
    await expect(call(connection, 'echo')).rejects.toMatchObject({
      name: 'ServiceError',
      message: expect.stringContaining(words),
    });
    expect(connection.state).toBe('CONNECTED');
    expect(connection.failure).toBeNull();
    slow.resolve({ result: { content: [{ type: 'text', text: 'Here.' }] } });
    expect(JSON.stringify(await other)).toContain('Here.');
    expect(odd.asked.filter((method) => method === 'initialize')).toHaveLength(1);
    await connection.close();
  });
});

describe('a server of 2026-07-28 with odd tools', () => {
  it('has the others used, and those that say no arguments taken without', async () => {
    const tools = [
      { name: 'plain', inputSchema: { type: 'object' } },
      { name: 'silent' },
      { name: 'empty', inputSchema: {} },
      { name: 'list', inputSchema: { type: 'array' } },
      { title: 'Without a name' },
      'none',
    ];
    const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const results: Record<string, object> = {
      'server/discover': {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        serverInfo: { name: 'odd', version: '1' },
      },
      'tools/list': { tools },
    };
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { id, method } = JSON.parse(await textOf(request)) as { id: number; method: string };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { ...common, ...results[method] } }));
    };
    await using site = await LocalSite.start((request, response) => void answer(request, response));
    await using http = new AsyncDisposableStack();
    const outbound = http.adopt(new UndiciOutboundHttp({ allow: ['127.0.0.1'] }), (client) => client.close());
    const server = {
      company: 'a',
      url: `${site.url}/mcp`,
      headers: {},
      timeoutMs: 20_000,
      isOperators: false,
    };
    const connection = made(() => new HttpLink(outbound, server));
    const listing = await connection.list();
    expect(listing.tools.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['plain', { type: 'object' }],
      ['silent', { type: 'object' }],
      ['empty', { type: 'object' }],
    ]);
    expect(listing.notes).toEqual([
      'list: The schema of its arguments is not of type object.',
      'A tool without a usable name.',
      'A tool without a usable name.',
    ]);
    await connection.close();
  });
});
