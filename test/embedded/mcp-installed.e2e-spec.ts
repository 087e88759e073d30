import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UndiciOutboundHttp } from '@palabre/outbound';

import { SystemClock } from '../../src/common/clock.js';
import { createLogger, type Logger } from '../../src/common/process/logger.js';
import type { Config } from '../../src/common/config/config.js';
import type { InstalledSkills, SkillSource } from '../../src/skills/skill-sources.service.js';
import { LocalRunner } from '../../src/conversations/turns/claims/turn-queue.service.js';
import { InstalledMcpServers } from '../../src/skills/mcp/installed-mcp-servers.service.js';
import { eventually } from '../harness/eventually.js';
import { everythingOverStdio } from '../harness/mcp-everything.js';
import { OddServer } from '../harness/mcp-odd-server.js';

const SECRET = 'sk-not-to-be-told-again';
const silent = createLogger({ level: 'silent', pretty: false });

const http = new UndiciOutboundHttp({ allow: ['127.0.0.1'] });
afterAll(() => http.close());

interface StartedServers {
  servers: InstalledMcpServers;
  /** The skills that they bring. */
  source: SkillSource;
}

async function started(folder: string, mcpServers: object, logger: Logger = silent): Promise<StartedServers> {
  const file = join(folder, 'servers.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  const config = { skills: { mcpServersFile: file } } as Config;
  const { promise, resolve: register } = Promise.withResolvers<SkillSource>();
  const skills = { register: (_kind: string, source: SkillSource) => register(source) };
  const servers = new InstalledMcpServers(
    config,
    http,
    new SystemClock(),
    new LocalRunner(),
    logger,
    skills as unknown as InstalledSkills,
  );
  await servers.onModuleInit();
  return { servers, source: await promise };
}

/** Whether a process is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('the operator’s servers', () => {
  /** The reference server, which also writes down what processes it was. */
  const program = `import { appendFileSync } from 'node:fs';
    appendFileSync(process.argv[1], process.pid + ' ');
    process.argv = ['node', 'everything', 'stdio'];
    await import(${JSON.stringify(pathToFileURL(everythingOverStdio.args[0]!).href)});`;

  const pidsIn = async (folder: string): Promise<number[]> =>
    (await readFile(join(folder, 'pids'), 'utf8')).trim().split(' ').map(Number);

  it('are each on its own, stay known while they are away, come back, and leave no process behind', async () => {
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'palabre-mcp-'));
    const folder = temporary.path;
    const args = ['--input-type=module', '-e', program, join(folder, 'pids')];
    const { servers, source } = await started(folder, {
      dead: { url: 'http://127.0.0.1:1/mcp' },
      everything: { command: process.execPath, args },
      missing: { command: 'no-such-command' },
    });
    try {
      const before = await source.current();
      const { revision, list } = await eventually(
        () => source.current(),
        (now) => now.list().some(({ key }) => key === 'everything__echo'),
      );
      expect(revision).toBeGreaterThan(before.revision);
      const echo = () => list().find(({ key }) => key === 'everything__echo')?.skill;
      expect(echo()).toMatchObject({ idempotent: false });
      expect(echo()!.unavailableReason!('en')).toBeNull();
      const states = await eventually(
        async () => servers.servers(),
        (found) => found.every(({ state }) => state !== 'CONNECTING'),
      );
      expect(states).toMatchObject([
        { key: 'dead', state: 'FAILED', failure: 'The server refuses the connection.', tools: 0 },
        { key: 'everything', state: 'CONNECTED', failure: null },
        { key: 'missing', state: 'FAILED', failure: 'Its command was not found.' },
      ]);
      process.kill((await pidsIn(folder)).at(-1)!, 'SIGKILL');
      await eventually(
        async () => echo()!.unavailableReason!('en'),
        (reason) => reason !== null,
      );
      expect(echo()!.unavailableReason!('en')).toContain('broke off');
      await eventually(
        async () => echo()!.unavailableReason!('en'),
        (reason) => reason === null,
      );
    } finally {
      await servers.onApplicationShutdown();
    }
    const pids = await pidsIn(folder);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('have it told which of their tools are not used, also where the others stay as they were', async () => {
    await using odd = await OddServer.start();
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'palabre-mcp-'));
    const { servers } = await started(temporary.path, { odd: { url: odd.url } });
    const notesOnce = (count: number) =>
      eventually(
        async () => servers.servers()[0],
        (server) => server?.tools === 1 && server.notes.length === count,
      );
    const stream = odd.hears('GET');
    try {
      await notesOnce(0);
      await stream;
      odd.tools = [...odd.tools, { name: 'bad', inputSchema: { type: 'string' } }];
      odd.tellOfChange();
      expect((await notesOnce(1))?.notes).toEqual([expect.stringMatching(/^bad: /)]);
    } finally {
      await servers.onApplicationShutdown();
    }
  });

  it('keep the keys of their tools when others leave or come, for the sake of their switches', async () => {
    await using odd = await OddServer.start();
    await using temporary = await mkdtempDisposable(join(tmpdir(), 'palabre-mcp-'));
    const inputSchema = { type: 'object' };
    const [dotted, spaced, slashed] = ['get.stock', 'get stock', 'get/stock'].map((name) => ({
      name,
      inputSchema,
    }));
    odd.tools = [dotted!, spaced!];
    const { servers, source } = await started(temporary.path, { odd: { url: odd.url } });
    const keysOnce = async (count: number): Promise<string[]> => {
      const { list } = await eventually(
        () => source.current(),
        (now) => now.list().length === count,
      );
      return list().map(({ key }) => key);
    };
    const stream = odd.hears('GET');
    try {
      const [first, second] = (await keysOnce(2)) as [string, string];
      expect(first).not.toBe(second);
      await stream;
      const keyOf = (name: string): string => (name === 'get.stock' ? first : second);
      odd.tools = [dotted!];
      odd.tellOfChange();
      expect(await keysOnce(1)).toEqual([keyOf('get.stock')]);
      odd.tools = [slashed!, spaced!, dotted!];
      odd.tellOfChange();
      const keys = await keysOnce(3);
      expect(keys.slice(1)).toEqual([keyOf('get stock'), keyOf('get.stock')]);
      expect(new Set(keys).size).toBe(3);
    } finally {
      await servers.onApplicationShutdown();
    }
  });

  it('have their secrets taken out of what they write to the log, also in pieces', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'palabre-mcp-'));
    const talk = `const key = process.env.API_KEY;
      process.stderr.write('Using ' + key.slice(0, 9), () =>
        setImmediate(() => process.stderr.write(key.slice(9) + '.\\nDone.\\n')));
      process.stdin.resume();`;
    const talks = { command: process.execPath, args: ['-e', talk], env: { API_KEY: SECRET } };
    const lines: string[] = [];
    const listening = {
      debug: ({ line }: { line?: string }) => void (line !== undefined && lines.push(line)),
      warn: () => undefined,
    } as unknown as Logger;
    const { servers } = await started(folder.path, { talks }, listening);
    await eventually(
      async () => lines,
      (found) => found.includes('Done.'),
    );
    await servers.onApplicationShutdown();
    expect(lines.slice(0, 2)).toEqual(['Using •••.', 'Done.']);
  });
});
