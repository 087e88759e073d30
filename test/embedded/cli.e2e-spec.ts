import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finish, gate, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';

import { runPalabre } from '../../src/app/cli/palabre-program.js';
import { lockFolder } from '../../src/platform/database/embedded-database.js';
import { CuttableProxy } from '../harness/cuttable-proxy.js';
import { RunningCommand } from '../harness/run-command.js';
import { SECRET, shareApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient, type WireEvent } from '../harness/test-client.js';
import { createTestDatabase } from '../harness/test-database.js';

let app: TestApp;
let client: TestClient;
let folder: string;
let mayGoOn = Promise.withResolvers<void>();

function reply(request: object): ProviderReply {
  const { messages } = request as { messages: { role: string; content: string }[] };
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  if (messages.at(-1)?.role === 'tool') return [text('Vous êtes '), text('« Demo ».'), finish()];
  if (question.includes('patience')) return [text('Bon'), hang()];
  if (question.includes('coupure')) return [text('Bon'), gate(mayGoOn.promise), text('jour'), finish()];
  if (question.includes('panne')) return [status(401)];
  if (question.includes('permission')) {
    return [toolCall('update_company_profile', { city: 'Thiès' }), finish()];
  }
  if (question.includes('avant')) return [text(`${messages.length} messages`), finish()];
  return [text('Je regarde. '), toolCall('get_company_profile', {}), finish()];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-cli-'));
  app = await shareApp(reply);
  client = await app.client();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function ask(
  commandLine: string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): RunningCommand {
  const ours = { PALABRE_URL: app.url, PALABRE_TOKEN: client.token ?? '' };
  return new RunningCommand('ask', commandLine, { env: { ...ours, ...env }, cwd: folder, input });
}

function palabre(commandLine: string[], env: Record<string, string> = {}): RunningCommand {
  return new RunningCommand('palabre', commandLine, { env: { DATA_DIR: folder, ...env }, cwd: folder });
}

function eventsIn(out: string): WireEvent[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WireEvent);
}

function conversationIn(out: string): string {
  return /^conversation (\S+)$/m.exec(out)?.[1] ?? '';
}

interface StoredTurn {
  status: string;
  answer: { text: string; status: string } | null;
}

async function turnOf(id: string): Promise<StoredTurn> {
  const query = 'query ($id: ID!) { turn(id: $id) { status answer { text status } } }';
  return (await client.get<{ turn: StoredTurn }>(query, { id })).turn;
}

describe('ask', () => {
  it('shows skills, the answer, what it took and how to go on', async () => {
    const command = ask(['Qui', 'sommes-nous ?']);
    expect([await command.exit, command.error]).toEqual([0, '']);
    expect(command.out).toContain('✓ get_company_profile');
    expect(command.out).toContain('\nVous êtes « Demo ».\n');
    expect(command.out).toContain('2 model calls · 1 skill call');
    // A pipe gets the answer alone, not what led up to a skill.
    expect(command.out).not.toContain('Je regarde');
    const conversation = conversationIn(command.out);
    const next = ask(['--conversation', conversation, 'Et avant ?']);
    expect(await next.exit).toBe(0);
    // The prompt, the first question and its answer, and this question.
    expect(next.out).toContain('\n4 messages\n');
    expect(conversationIn(next.out)).toBe(conversation);
  });

  it('asks any server from any machine, with an address and a token alone', async () => {
    const server = ['--url', app.url, '--token', client.token ?? ''];
    const given = ['ask', ...server, '--assistant', 'mefali', 'Qui sommes-nous ?'];
    const command = new RunningCommand('remote', given, { env: {}, cwd: folder });
    expect([await command.exit, command.error]).toEqual([0, '']);
    expect(command.out).toContain('\nVous êtes « Demo ».\n');
    const help = new RunningCommand('remote', [], { env: {}, cwd: folder });
    expect([await help.exit, help.error]).toEqual([2, expect.stringContaining('palabre ask|upload')]);
  });

  it('asks the last question in other words, and has it answered once more', async () => {
    const first = ask(['Qui sommes-nous ?']);
    expect(await first.exit).toBe(0);
    const conversation = conversationIn(first.out);
    const edited = ask(['--conversation', conversation, '--edit', 'Et avant ?']);
    // The prompt and this question: what it stands in the place of is not told.
    expect([await edited.exit, edited.out]).toEqual([0, expect.stringContaining('\n2 messages\n')]);
    const again = ask(['--conversation', conversation, '--regenerate']);
    expect([await again.exit, again.out]).toEqual([0, expect.stringContaining('\n2 messages\n')]);
    const query = `query ($id: ID!) {
      conversation(id: $id) { messages(last: 2) { edges { node { role text versions { id } } } } }
    }`;
    const { conversation: stored } = await client.get<{
      conversation: { messages: { edges: { node: object }[] } };
    }>(query, { id: conversation });
    const two = [expect.anything(), expect.anything()];
    expect(stored.messages.edges.map(({ node }) => node)).toMatchObject([
      { role: 'USER', text: 'Et avant ?', versions: two },
      { role: 'ASSISTANT', text: '2 messages', versions: two },
    ]);
  });

  it('prints every event with --json, one a line, as they are stored', async () => {
    const command = ask(['--json', 'Qui sommes-nous ?']);
    expect([await command.exit, command.error]).toEqual([0, '']);
    const events = eventsIn(command.out);
    const turnId = String(events[0]?.turnId);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ __typename }) => __typename === 'TurnDone')).toEqual([events.at(-1)]);
    expect(events).toEqual(await client.allEvents(turnId));
    expect(await turnOf(turnId)).toEqual({
      status: 'COMPLETED',
      answer: { text: answerOf(events), status: 'COMPLETE' },
    });
  });

  it('gets every event once when the connection is cut in the middle', async () => {
    mayGoOn = Promise.withResolvers();
    await using proxy = await CuttableProxy.to(app.url);
    const command = ask(['--json', 'Une coupure'], { env: { PALABRE_URL: proxy.url } });
    await command.until('out', '"Bon"');
    proxy.cut();
    await command.until('error', 'The connection was lost');
    mayGoOn.resolve();
    expect(await command.exit).toBe(0);
    const events = eventsIn(command.out);
    expect(events).toEqual(await client.allEvents(String(events[0]?.turnId)));
    expect(answerOf(events)).toBe('Bonjour');
  });

  it('reads the question from standard input', async () => {
    const command = ask(['--json', '-'], { input: 'Qui sommes-nous,\nà Thiès ? 🌳\n' });
    expect(await command.exit).toBe(0);
    const query = 'query ($id: ID!) { turn(id: $id) { question { text } } }';
    const { turn } = await client.get<{ turn: { question: { text: string } } }>(query, {
      id: eventsIn(command.out)[0]?.turnId,
    });
    expect(turn.question.text).toBe('Qui sommes-nous,\nà Thiès ? 🌳');
  });

  it('shows what is to be allowed and the line that allows it, and goes on with it', async () => {
    await client.get('mutation { setSkillApproval(key: "update_company_profile", required: true) { id } }');
    const command = ask(['Avec votre permission']);
    await command.until('out', '· waiting for approval');
    expect(command.out).toContain('? may update_company_profile be carried out? city: "Thiès"\n');
    expect(command.out).toContain(`, or by the API at ${app.url}/graphql:\n`);
    const [, mutation = ''] = /^ {2}(mutation .+)$/m.exec(command.out) ?? [];
    expect(await client.get(mutation)).toEqual({ resolveApproval: { status: 'APPROVED' } });
    expect([await command.exit, command.error]).toEqual([0, '']);
    expect(command.out).toMatch(/^· queued: it was allowed$/m);
    expect(command.out).toMatch(/^✓ update_company_profile /m);
  });

  it('exits with 1 when the turn fails, and says why', async () => {
    const command = ask(['En panne ?']);
    expect(await command.exit).toBe(1);
    expect(command.out).toMatch(/^✗ MODEL_UNAVAILABLE: .+$/m);
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['an assistant that does not exist', ['--assistant', 'nobody', 'Bonjour'], {}, '(NOT_FOUND)'],
    ['a conversation of nobody', ['--conversation', 'c-1', 'Bonjour'], {}, '(NOT_FOUND)'],
    ['a token that is none', ['Bonjour'], { PALABRE_TOKEN: 'none' }, '(UNAUTHENTICATED)'],
    ['a question that is too long', ['-'], {}, '(BAD_USER_INPUT)'],
    ['no question', [], {}, "missing required argument 'question'"],
    ['an address that is none', ['Bonjour'], { PALABRE_URL: 'localhost' }, 'PALABRE_URL must be'],
  ])('exits with 2 on %s', async (_what, commandLine, env, words) => {
    const command = ask(commandLine, { env, input: 'x'.repeat(100_001) });
    expect([await command.exit, command.out]).toEqual([2, '']);
    expect(command.error).toContain(words);
  });

  it('exits with 3 when there is no server, and says how to start one', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const url = `http://127.0.0.1:${(nobody.address() as AddressInfo).port}`;
    nobody.close();
    await once(nobody, 'close');
    const command = ask(['Bonjour'], { env: { PALABRE_URL: url } });
    expect([await command.exit, command.out]).toEqual([3, '']);
    expect(command.error).toContain(
      `No Palabre server answers at ${url}/graphql.\nA server is started by npm start`,
    );
  });

  it('cancels the turn on Ctrl-C, keeps what was said, and exits with 130', async () => {
    const command = ask(['--json', 'Un peu de patience']);
    await command.until('out', '"Bon"');
    command.kill('SIGINT');
    expect(await command.exit).toBe(130);
    expect(command.error).toContain('Cancelling');
    const events = eventsIn(command.out);
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'CANCELLED' });
    expect(await turnOf(String(events[0]?.turnId))).toEqual({
      status: 'CANCELLED',
      answer: { text: 'Bon', status: 'INTERRUPTED' },
    });
    await app.provider.nextAbort();
  });
});

describe('palabre', () => {
  const token = ['token', '--company', 'demo', '--email', 'awa@example.org', '--role', 'member'];

  it('prints a token, and nothing else, that signs its bearer in', async () => {
    const command = palabre([...token, '--name', 'Awa'], { AUTH_SECRET: SECRET });
    expect([await command.exit, command.error]).toEqual([0, '']);
    const viewer = app.clientWith(command.out.trim());
    await expect(viewer.get('{ viewer { name email role } }')).resolves.toEqual({
      viewer: { name: 'Awa', email: 'awa@example.org', role: 'MEMBER' },
    });
  });

  it('makes a company in the embedded database once, and only while no server has it', async () => {
    const create = ['company', 'create', '--slug', 'acme', '--name', 'Acme'];
    const first = palabre(create);
    expect([await first.exit, first.error]).toEqual([0, '']);
    expect(first.out).toMatch(/^Created the company Acme \(slug acme, id [-0-9a-f]{36}\)\.\n$/);
    const second = palabre(create);
    expect([await second.exit, second.out]).toEqual([1, '']);
    expect(second.error).toBe('There is already a company with the slug acme.\n');
    const server = await lockFolder(folder);
    const third = palabre(['migrate']);
    expect([await third.exit, third.out]).toEqual([1, '']);
    expect(third.error).toContain('is in use by another Palabre process');
    server.release();
  });

  it('erases a company, whose slug no other one gets', async () => {
    await using database = await createTestDatabase({ isLasting: true });
    const run = async (commandLine: string[], typed = '') => {
      const said = { out: '', error: '' };
      const code = await runPalabre(commandLine, {
        ask: (question) => {
          said.out += question;
          return Promise.resolve(typed);
        },
        env: { DATA_DIR: database.location.dataDir ?? '' },
        out: (text) => (said.out += text),
        error: (text) => (said.error += text),
      });
      return { code, ...said };
    };
    const create = ['company', 'create', '--slug', 'acme', '--name', 'Acme'];
    expect(await run(create)).toMatchObject({ code: 0 });
    const erased = await run(['company', 'erase', '--slug', 'acme'], ' acme ');
    expect(erased).toMatchObject({ code: 0, error: '' });
    expect(erased.out).toContain('Type acme to go on');
    expect(erased.out).toContain('cannot be entered any more');
    expect(await run(create)).toMatchObject({ code: 1, error: expect.stringContaining('was erased') });
    const unknown = await run(['company', 'erase', '--slug', 'nobody', '--confirm', 'nobody']);
    expect(unknown).toMatchObject({ code: 1, error: 'There is no such company.\n' });
  });

  it('says in plain words what is wrong with a command line', async () => {
    const command = palabre([...token, '--ttl', 'soon']);
    expect([await command.exit, command.out]).toEqual([2, '']);
    expect(command.error).toContain('Give a duration such as 30s, 15m, 1h or 7d');
  });
});
