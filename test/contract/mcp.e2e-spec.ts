import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { createLogger } from '../../src/common/process/logger.js';
import { readConfig } from '../../src/common/config/read-config.js';
import { startServer } from '../../src/app/server.js';
import { eventually } from '../harness/eventually.js';
import { everythingOverStdio } from '../harness/mcp-everything.js';
import { OddServer } from '../harness/mcp-odd-server.js';
import { ServerOfToday } from '../harness/mcp-today.js';
import { lastOf } from '../harness/provider-request.js';
import { unasked } from '../harness/skill-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const SECRET = 'a-key-that-is-never-shown';

interface SkillView {
  key: string;
  name: string;
  description: string;
  kind: string;
  category: string | null;
  available: boolean;
  unavailableReason: string | null;
  timeoutSeconds: number;
}

interface ServerView {
  id: string;
  key: string;
  url: string;
  headerNames: string[];
  timeoutSeconds: number;
  trustAnnotations: boolean;
  checkedAt: string | null;
  failure: string | null;
  notes: string[];
}

const SKILLS = '{ skills { key name description kind category available unavailableReason timeoutSeconds } }';
const FIELDS = 'id key url headerNames timeoutSeconds trustAnnotations checkedAt failure notes';
const SERVERS = `{ mcpServers { ${FIELDS} } }`;
const REGISTER = `mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { ${FIELDS} } }`;
const REFRESH = `mutation ($key: String!) { refreshMcpServer(key: $key) { ${FIELDS} } }`;
const REMOVE = 'mutation ($key: String!) { removeMcpServer(key: $key) }';

const stack = new AsyncDisposableStack();
let app: TestApp;
let odd: OddServer;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'palabre-mcp-')), (path) =>
    rm(path, { recursive: true }),
  );
  odd = stack.use(await OddServer.start());
  const file = join(folder, 'servers.json');
  const mcpServers = {
    dead: { url: 'http://127.0.0.1:1/mcp' },
    everything: { ...everythingOverStdio, trustAnnotations: true },
    missing: { command: 'no-such-command' },
  };
  await writeFile(file, JSON.stringify({ mcpServers }));
  app = stack.use(
    await startApp((body) => reply(body), { MCP_SERVERS_FILE: file, OUTBOUND_ALLOW: '127.0.0.1' }),
  );
});
afterAll(() => stack.disposeAsync());

/** A model that calls this skill, then says that it is done. */
function calling(name: string, input: JsonObject = {}): void {
  reply = (body) =>
    lastOf(body).role === 'tool' ? [text('Done.'), finish()] : [toolCall(name, input), finish()];
}

/** What became of the one skill call of a turn. */
async function outcome(asker: TestClient): Promise<WireEvent | undefined> {
  const { turnId } = await asker.ask('Please.');
  const events = await asker.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED' });
  return events.find(({ __typename }) => __typename === 'SkillFinished');
}

async function toolsOf(client: TestClient): Promise<SkillView[]> {
  return (await client.get<{ skills: SkillView[] }>(SKILLS)).skills.filter(({ kind }) => kind === 'MCP');
}

async function keysOf(client: TestClient): Promise<string[]> {
  return (await toolsOf(client)).map(({ key }) => key).filter((key) => !key.startsWith('everything__'));
}

async function register(client: TestClient, input: object): Promise<ServerView> {
  return (await client.get<{ registerMcpServer: ServerView }>(REGISTER, { input })).registerMcpServer;
}

async function newCompany(): Promise<TestClient> {
  return app.client({ company: await app.company() });
}

function tool(name: string, more: JsonObject = {}): JsonObject {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    ...more,
  };
}

describe('the operator’s servers', () => {
  it('are skills of every company, and those that are away hold nobody up', async () => {
    const client = await newCompany();
    const found = await eventually(
      () => toolsOf(client),
      (tools) => tools.some(({ key }) => key === 'everything__echo'),
    );
    expect(found.find(({ key }) => key === 'everything__echo')).toMatchObject({
      name: 'Echo Tool',
      category: 'everything',
      available: true,
      timeoutSeconds: 60,
    });
    calling('everything__get-sum', { a: 2, b: 3 });
    expect(await outcome(client)).toMatchObject({
      skill: 'everything__get-sum',
      callStatus: 'SUCCEEDED',
      resultPreview: expect.stringContaining('5'),
    });
  });

  it('have their arguments checked before they are called', async () => {
    calling('everything__get-sum', { a: 'two', b: 3 });
    expect(await outcome(await newCompany())).toMatchObject({
      callStatus: 'FAILED',
      resultPreview: expect.stringContaining('L’assistant a mal formulé cet appel'),
    });
  });

  it('stop the start when their file cannot be used', async () => {
    await using database = await createTestDatabase();
    const config = readConfig({
      PORT: '0',
      AUTH_SECRET: SECRET.repeat(2),
      MCP_SERVERS_FILE: '/no/such/file.json',
    });
    const logger = createLogger({ level: 'silent', pretty: false });
    const started = startServer(config, logger, { location: database.location });
    await expect(started).rejects.toThrow('MCP_SERVERS_FILE must be a file that can be read');
  });
});

describe('a company’s server', () => {
  it('are asked about before each call, unless they say that they change nothing and are believed', async () => {
    await using server = await ServerOfToday.start();
    const admin = await newCompany();
    const asks = async (): Promise<boolean[]> => {
      const { skills } = await admin.get<{ skills: { key: string; requiresApproval: boolean }[] }>(
        '{ skills { key requiresApproval } }',
      );
      const ofServer = ['today__add', 'today__deploy'].map((key) =>
        skills.find((skill) => skill.key === key),
      );
      return ofServer.map((skill) => skill!.requiresApproval);
    };
    await register(admin, { key: 'today', url: server.url });
    expect(await asks()).toEqual([true, true]);
    await register(admin, { key: 'today', url: server.url, trustAnnotations: true });
    expect(await asks()).toEqual([false, true]);
    // As earlier versions kept what nobody had said that they believe.
    await app.database.dataSource.query(
      `UPDATE skill_definition SET idempotent = false WHERE settings ->> 'tool' = 'add'`,
    );
    await app.database.dataSource.query(`UPDATE skill SET revision = revision + 1 WHERE key = 'today__add'`);
    expect(await asks()).toEqual([true, true]);
  });

  it('is connected by an admin: its tools are skills of that company alone', async () => {
    await using server = await ServerOfToday.start();
    const admin = await newCompany();
    const registered = await register(admin, { key: 'today', url: server.url, trustAnnotations: true });
    expect(registered).toMatchObject({
      key: 'today',
      headerNames: [],
      timeoutSeconds: 60,
      trustAnnotations: true,
      checkedAt: expect.any(String),
      failure: null,
      notes: [],
    });
    expect(await keysOf(admin)).toEqual(['today__add', 'today__deploy', 'today__wait']);
    expect(await keysOf(await newCompany())).toEqual([]);
    calling('today__add', { a: 40, b: 2 });
    expect(await outcome(admin)).toMatchObject({ callStatus: 'SUCCEEDED', resultPreview: '{"sum":42}' });
    const node = `query ($id: ID!) { node(id: $id) { id ... on McpServer { key } } }`;
    expect(await admin.get(node, { id: registered.id })).toEqual({
      node: { id: registered.id, key: 'today' },
    });
    expect(await (await newCompany()).get(node, { id: registered.id })).toEqual({ node: null });
  });

  it('is sent its headers, which are never shown and are encrypted where they are kept', async () => {
    const admin = await newCompany();
    const headers = [{ name: 'Authorization', value: `Bearer ${SECRET}` }];
    const registered = await register(admin, { key: 'odd', url: odd.url, headers });
    expect(odd.headers.authorization).toBe(`Bearer ${SECRET}`);
    expect(registered.headerNames).toEqual(['Authorization']);
    const stored = await app.database.dataSource.query<object[]>(
      `SELECT row_to_json(mcp_server) AS row FROM mcp_server WHERE id = $1
       UNION ALL SELECT row_to_json(audit_entry) FROM audit_entry WHERE action LIKE 'mcp-server.%'
       UNION ALL SELECT row_to_json(skill_definition) FROM skill_definition`,
      [registered.id],
    );
    expect(stored.length).toBeGreaterThan(2);
    expect(JSON.stringify([registered, stored])).not.toContain(SECRET);
    odd.onCall = () => ({ result: { isError: true, content: [{ type: 'text', text: `Not ${SECRET}!` }] } });
    await unasked(admin, 'odd__echo');
    calling('odd__echo');
    expect(await outcome(admin)).toMatchObject({ callStatus: 'FAILED', resultPreview: 'Not •••!' });
  });

  it('that is registered anew while it is asked is what it was made, and said to be nothing else', async () => {
    await using hanging = await OddServer.start();
    await using server = await OddServer.start();
    hanging.onAny = ({ method }) => (method === 'tools/list' ? 'hang' : null);
    const admin = await newCompany();
    const asked = hanging.hears('tools/list');
    const first = register(admin, { key: 'twice', url: hanging.url });
    await asked;
    expect(await register(admin, { key: 'twice', url: server.url })).toMatchObject({ failure: null });
    expect(await first).toMatchObject({ url: server.url, failure: null });
    expect(await keysOf(admin)).toEqual(['twice__echo']);
  });

  it('that changes its tools changes the skills', async () => {
    await using server = await OddServer.start();
    const admin = await newCompany();
    server.tools = [tool('keep'), tool('change'), tool('drop')];
    await register(admin, { key: 'shifting', url: server.url });
    expect(await keysOf(admin)).toEqual(['shifting__change', 'shifting__drop', 'shifting__keep']);
    server.tools = [tool('keep'), tool('change', { title: 'Changed' }), tool('add')];
    server.tellOfChange();
    const tools = await eventually(
      () => toolsOf(admin),
      (found) => found.some(({ key }) => key === 'shifting__add'),
    );
    const own = tools.filter(({ category }) => category === 'shifting');
    expect(own.map(({ key, name }) => [key, name])).toEqual([
      ['shifting__add', 'add'],
      ['shifting__change', 'Changed'],
      ['shifting__keep', 'keep'],
    ]);
    const revisions = await app.database.dataSource.query<object[]>(
      `SELECT key, revision FROM skill WHERE key LIKE 'shifting%' ORDER BY key`,
    );
    expect(revisions).toEqual([
      { key: 'shifting__add', revision: 2 },
      { key: 'shifting__change', revision: 3 },
      { key: 'shifting__keep', revision: 2 },
    ]);
  });

  it('that hides a tool for a while has it back as an admin has set it, and that is written down', async () => {
    await using server = await OddServer.start();
    const admin = await newCompany();
    const tools = [tool('look'), tool('pay'), tool('plain')];
    server.tools = tools;
    await register(admin, { key: 'bank', url: server.url });
    await admin.get('mutation { setSkillApproval(key: "bank__pay", required: true) { id } }');
    await admin.get('mutation { setSkillActive(key: "bank__look", active: false) { id } }');
    const seen = async (listed: JsonObject[]): Promise<unknown> => {
      server.tools = listed;
      await admin.get(REFRESH, { key: 'bank' });
      const { skills } = await admin.get<{ skills: (SkillView & Record<string, unknown>)[] }>(
        '{ skills { key category description available active requiresApproval unavailableReason } }',
      );
      return skills.filter(({ category }) => category === 'bank').map(({ category: _, ...skill }) => skill);
    };
    const reason = expect.stringMatching(/has not listed it since \d{4}-\d\d-\d\d/);
    const gone = { available: false, unavailableReason: reason };
    const kept = [
      { key: 'bank__look', active: false, requiresApproval: true },
      { key: 'bank__pay', active: true, requiresApproval: true },
    ];
    const hidden = kept.map((skill) => expect.objectContaining({ ...skill, ...gone }));
    expect(await seen([])).toEqual(hidden);
    expect(await seen([])).toEqual(hidden);
    const there = { available: true, unavailableReason: null };
    const back = tools.map((listed) => ({ ...listed, description: 'Pays it all.' }));
    expect(await seen(back)).toEqual([
      ...kept.map((skill) => expect.objectContaining({ ...skill, ...there })),
      expect.objectContaining({ key: 'bank__plain', active: true, requiresApproval: true, ...there }),
    ]);
    const entries = (): Promise<{ details: JsonObject }[]> =>
      app.database.dataSource.query(
        `SELECT member_id, subject, details FROM audit_entry
         WHERE subject = 'bank' AND action = 'mcp-server.tools-changed' ORDER BY id`,
      );
    const all = ['bank__look', 'bank__pay', 'bank__plain'];
    const nobody = { member_id: '00000000-0000-0000-0000-000000000000', subject: 'bank' };
    expect(await entries()).toEqual([
      { ...nobody, details: { added: all } },
      { ...nobody, details: { gone: all } },
      { ...nobody, details: { added: all } },
    ]);
    // A server that does so all day fills no table.
    await app.database.dataSource.query(
      `INSERT INTO audit_entry (company_id, id, member_id, action, subject)
       SELECT company_id, new_id, $1, 'mcp-server.tools-changed', key
       FROM mcp_server, unnest($2::uuid[]) AS new_id WHERE key = 'bank'`,
      [nobody.member_id, Array.from({ length: 96 }, newId)],
    );
    await seen([]);
    await seen(tools);
    expect(await entries()).toHaveLength(100);
    await admin.get(REMOVE, { key: 'bank' });
    expect(await keysOf(admin)).toEqual([]);
  });

  it('that cannot be reached is kept, said to be away, and used once it is there', async () => {
    await using server = await OddServer.start();
    server.onAny = () => ({ status: 503 });
    const admin = await newCompany();
    const registered = await register(admin, { key: 'away', url: server.url });
    expect(registered).toMatchObject({ failure: 'The server answers with HTTP 503.' });
    expect(await keysOf(admin)).toEqual([]);
    server.onAny = () => null;
    // By itself, without anybody asking.
    expect(
      await eventually(
        () => keysOf(admin),
        (keys) => keys.length > 0,
      ),
    ).toEqual(['away__echo']);
    const { mcpServers } = await admin.get<{ mcpServers: ServerView[] }>(SERVERS);
    expect(mcpServers).toMatchObject([{ key: 'away', failure: null }]);
  });

  it('is asked again when an admin says so, and told of what is not used', async () => {
    await using server = await OddServer.start();
    const admin = await newCompany();
    await register(admin, { key: 'notes', url: server.url });
    server.tools = [tool('good'), tool('bad', { inputSchema: { type: 'array' } })];
    const { refreshMcpServer } = await admin.get<{ refreshMcpServer: ServerView }>(REFRESH, { key: 'notes' });
    expect(refreshMcpServer.notes).toEqual(['bad: The schema of its arguments is not of type object.']);
    expect(await keysOf(admin)).toEqual(['notes__good']);
    expect(await admin.codes(REFRESH, { key: 'none' })).toEqual(['NOT_FOUND']);
  });

  it('is changed by registering it anew, and is gone with its skills when it is removed', async () => {
    await using server = await OddServer.start();
    await using other = await OddServer.start();
    other.tools = [tool('other')];
    const admin = await newCompany();
    const { id } = await register(admin, { key: 'mine', url: server.url });
    expect(await register(admin, { key: 'mine', url: other.url, timeoutSeconds: 5 })).toMatchObject({
      id,
      timeoutSeconds: 5,
    });
    expect(await keysOf(admin)).toEqual(['mine__other']);
    const left = other.hears('DELETE');
    expect(await admin.get(REMOVE, { key: 'mine' })).toEqual({ removeMcpServer: id });
    await left;
    expect(await keysOf(admin)).toEqual([]);
    expect(await admin.get(SERVERS)).toEqual({ mcpServers: [] });
    expect(await admin.codes(REMOVE, { key: 'mine' })).toEqual(['NOT_FOUND']);
  });

  it('is written down by whom it was registered, refreshed and removed', async () => {
    await using server = await OddServer.start();
    const admin = await newCompany();
    const { viewer } = await admin.get<{ viewer: { id: string } }>('{ viewer { id } }');
    await register(admin, { key: 'audited', url: server.url });
    await admin.get(REFRESH, { key: 'audited' });
    await admin.get(REMOVE, { key: 'audited' });
    const entries = await app.database.dataSource.query<object[]>(
      'SELECT action, subject FROM audit_entry WHERE member_id = $1 ORDER BY id',
      [viewer.id],
    );
    const subject = 'audited';
    expect(entries).toEqual([
      { action: 'mcp-server.registered', subject },
      { action: 'mcp-server.refreshed', subject },
      { action: 'mcp-server.removed', subject },
    ]);
  });

  it('is for admins', async () => {
    const member = await app.client({ company: await app.company(), sub: 'bea', role: 'MEMBER' });
    expect(await member.codes(SERVERS)).toEqual(['FORBIDDEN']);
    expect(await member.codes(REGISTER, { input: { key: 'a', url: odd.url } })).toEqual(['FORBIDDEN']);
    expect(await member.codes(REFRESH, { key: 'a' })).toEqual(['FORBIDDEN']);
    expect(await member.codes(REMOVE, { key: 'a' })).toEqual(['FORBIDDEN']);
  });

  it.each<[string, object]>([
    ['another key', { key: 'a__b' }],
    ['the installation’s key', { key: 'everything' }],
    ['no web address', { url: 'ftp://a.example/' }],
    ['a password in the address', { url: 'https://ada:x@a.example/' }],
    ['a header of the connection', { headers: [{ name: 'Host', value: 'x' }] }],
    ['a header in two lines', { headers: [{ name: 'X-Key', value: 'a\nb' }] }],
    [
      'a header twice',
      {
        headers: [
          { name: 'X-Key', value: 'a' },
          { name: 'x-key', value: 'b' },
        ],
      },
    ],
    ['a time without end', { timeoutSeconds: 601 }],
  ])('with %s is refused', async (_, wrong) => {
    const input = { key: 'good', url: 'https://a.example/mcp', ...wrong };
    expect(await (await newCompany()).codes(REGISTER, { input })).toEqual(['BAD_USER_INPUT']);
  });

  it('in a private network is not spoken to', async () => {
    const registered = await register(await newCompany(), { key: 'inside', url: 'http://10.0.0.1/mcp' });
    expect(registered.failure).toContain('network that may not be reached');
  });
});

// On the embedded database's one connection they come one after the other.
const onServer = testDatabaseUrl === null ? describe.skip : describe;

onServer('a server that two admins register at the same time', () => {
  it('can be used afterwards', async () => {
    await using server = await OddServer.start();
    const company = await app.company();
    const admins = [await app.client({ company }), await app.client({ company, sub: 'bob' })];
    const holder = app.database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('LOCK TABLE mcp_server IN SHARE MODE');
    const registered = Promise.all(
      admins.map((admin, index) => {
        const headers = [{ name: 'Authorization', value: `Bearer ${SECRET}-${index}` }];
        return register(admin, { key: 'both', url: server.url, headers });
      }),
    );
    // Both have seen that there is none of this key yet.
    await eventually(
      () =>
        app.database.dataSource.query<{ count: number }[]>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ([row]) => row?.count === 2,
    );
    await holder.commitTransaction();
    await holder.release();
    expect(await registered).toMatchObject([{ failure: null }, { failure: null }]);
    await unasked(admins[0]!, 'both__echo');
    calling('both__echo');
    expect(await outcome(admins[0]!)).toMatchObject({ callStatus: 'SUCCEEDED' });
    expect(server.headers.authorization).toContain(SECRET);
    const { mcpServers } = await admins[0]!.get<{ mcpServers: ServerView[] }>(SERVERS);
    expect(mcpServers).toMatchObject([{ key: 'both', failure: null }]);
  });
});
