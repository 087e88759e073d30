import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError } from '../../common/config/environment.js';
import { type InstalledServer, readServersFile } from './mcp-servers-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-mcp-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: unknown): Promise<InstalledServer[]> {
  const path = join(folder, 'servers.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readServersFile(path);
}
async function problemsOf(content: unknown): Promise<readonly string[]> {
  const error = await read(content).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigError);
  return (error as ConfigError).problems;
}

describe('the file of servers', () => {
  it('need not be there', async () => {
    expect(await readServersFile(null)).toEqual([]);
  });

  it('names commands and addresses, and servers that are switched off', async () => {
    const servers = await read({
      mcpServers: {
        files: { command: 'npx', args: ['-y', 'files'], env: { API_KEY: 'k' } },
        wiki: { type: 'http', url: 'http://intranet/mcp', headers: { 'X-Key': 'k' }, timeoutSeconds: 5 },
        old: { command: 'old', disabled: true },
      },
    });
    const usual = { timeoutMs: 60_000, trustAnnotations: false };
    expect(servers).toEqual([
      { key: 'files', ...usual, way: { command: 'npx', args: ['-y', 'files'], env: { API_KEY: 'k' } } },
      {
        key: 'wiki',
        ...usual,
        timeoutMs: 5_000,
        way: { url: 'http://intranet/mcp', headers: { 'X-Key': 'k' } },
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'MCP_SERVERS_FILE must be JSON of the form'],
    ['another form', { servers: {} }, 'MCP_SERVERS_FILE must be JSON of the form'],
    ['a name', { mcpServers: { 'my server': { command: 'a' } } }, 'mcpServers.my server must be named by'],
    ['neither', { mcpServers: { a: {} } }, 'mcpServers.a must have either a command or a url'],
    ['both', { mcpServers: { a: { command: 'a', url: 'http://a' } } }, 'either a command or a url'],
    ['another way', { mcpServers: { a: { url: 'ftp://a' } } }, 'mcpServers.a.url must be an address'],
    [
      'an unknown setting',
      { mcpServers: { a: { command: 'a', arg: [] } } },
      'mcpServers.a must be without arg',
    ],
    ['a wrong type', { mcpServers: { a: { command: 'a', args: 'x' } } }, 'mcpServers.a.args must be'],
    [
      'a placeholder',
      { mcpServers: { a: { command: 'a', env: { K: '${K}' } } } },
      'a.env.K must be the value itself',
    ],
    [
      'a header in two lines',
      { mcpServers: { a: { url: 'http://a', headers: { K: 'a\nb' } } } },
      'a.headers.K must be a text in one line',
    ],
    [
      'the old transport',
      { mcpServers: { a: { type: 'sse', url: 'http://a' } } },
      'mcpServers.a.type must be',
    ],
  ])('with %s is refused in words that name it', async (_, content, words) => {
    expect((await problemsOf(content)).join('\n')).toContain(words);
  });

  it('is refused with everything that is wrong, and without a value of it', async () => {
    const problems = await problemsOf({
      mcpServers: { a: { command: 'a', env: { K: 'secret\0' } }, b: { url: 'secret' } },
    });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain('secret');
  });

  it('that is not there is named', async () => {
    await expect(readServersFile(join(folder, 'none.json'))).rejects.toThrow('none.json');
  });
});
