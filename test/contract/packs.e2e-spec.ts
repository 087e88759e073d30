import { readFile } from 'node:fs/promises';
import { finish, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';
import { splitFrontMatter } from '@palabre/skill-pack';
import type { JsonObject } from '@palabre/json';

import { fill, wordingIn } from '../../src/common/wording/wording.js';
import { readRequest, resultIn, systemOf, toolsOf } from '../harness/provider-request.js';
import { barrier, type BookReply, ScriptBook } from '../harness/script-book.js';
import { loadableIn, loadedIn, requestsFor, setActive, skillStory } from '../harness/skill-view.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient, WireEvent } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const SALE = 'escrituras/compraventa';
const LOAN = 'escrituras/hipoteca';
const LEASE = 'contratos/arrendamiento';
const SHIPPED = [LEASE, SALE, LOAN];

const labels = wordingIn('es').skillUse;
const solven = { assistantKey: 'solven' };
const done: ProviderReply = [text('Hecho.'), finish()];

function load(skill: string): ProviderReply {
  return [toolCall('load_skill', { skill }), finish()];
}
function read(skill: string, path: string): ProviderReply {
  return [toolCall('read_skill_file', { skill, path }), finish()];
}

/** A file of a pack that ships. */
function shipped(key: string, path = 'SKILL.md'): Promise<string> {
  return readFile(new URL(`../../skills/${key}/${path}`, import.meta.url), 'utf8');
}
async function bodyOf(key: string): Promise<string> {
  return splitFrontMatter(await shipped(key)).body.trim();
}

/** What a model call was told of the call before it. */
function toldIn(body: JsonObject | undefined): unknown {
  return resultIn(readRequest(body).messages.findLast(({ role }) => role === 'tool')?.content ?? '');
}

/** What the last call of a turn was told of all calls, as it stands in the messages. */
function resultsIn(body: JsonObject | undefined): string[] {
  return readRequest(body)
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content);
}

interface Asked {
  turnId: string;
  conversationId: string;
  question: string;
}

const book = new ScriptBook();
let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
  client = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());

async function ask(
  replies: readonly BookReply[],
  input: object = solven,
  asker: TestClient = client,
): Promise<Asked> {
  const question = book.add(...replies);
  return { question, ...(await asker.ask(question, input)) };
}

/** Asks, and gives the model calls and the events once the turn has ended. */
async function play(replies: readonly BookReply[], input: object = solven, asker: TestClient = client) {
  const asked = await ask(replies, input, asker);
  const events = await asker.allEvents(asked.turnId);
  return { ...asked, events, requests: requestsFor(app, asked.question) };
}

function finished(events: readonly WireEvent[]): WireEvent[] {
  return events.filter(({ __typename }) => __typename === 'SkillFinished');
}

describe('the catalogue of packs', () => {
  it('is in the prompt of the assistant that they are for, by category, with a tool to load them', async () => {
    const { requests } = await play([done]);
    const system = systemOf(requests[0]);
    expect(system).toContain(
      `### ${labels.packsTitle}\n${labels.packsIntro}\n\n#### contratos\n- **${LEASE}**: `,
    );
    const group = system.slice(system.indexOf('#### escrituras'));
    expect(group).toMatch(
      new RegExp(`^#### escrituras\\n- \\*\\*${SALE}\\*\\*: [^\\n]+\\n- \\*\\*${LOAN}\\*\\*: [^\\n]+\\n`),
    );
    expect(loadedIn(system)).toEqual([]);
    for (const key of SHIPPED) expect(system).not.toContain(await bodyOf(key));
    expect(loadableIn(requests[0])).toEqual(SHIPPED);
    expect(toolsOf(requests[0]).slice(0, 2)).toEqual(['load_skill', 'read_skill_file']);
  });

  it('is nowhere for an assistant that they are not for', async () => {
    const { requests } = await play([done], { assistantKey: 'mefali' });
    expect(toolsOf(requests[0])).not.toContain('load_skill');
    expect(toolsOf(requests[0])).not.toContain('read_skill_file');
    for (const key of SHIPPED) expect(systemOf(requests[0])).not.toContain(key);
  });

  it('and what loads and reads them are nowhere for a company that has switched them all off', async () => {
    const admin = await app.client({ company: await app.company() });
    for (const key of SHIPPED) await setActive(admin, key, false);
    const { requests, events } = await play([load(SALE), read(SALE, 'SKILL.md'), done], solven, admin);
    for (const body of requests) {
      expect(toolsOf(body)).toEqual(['search_skills']);
      expect(systemOf(body)).not.toContain(labels.packsTitle);
      for (const key of SHIPPED) expect(systemOf(body)).not.toContain(key);
    }
    expect(finished(events)).toMatchObject([
      { callStatus: 'FAILED', resultPreview: fill(labels.switchedOff, { key: SALE }) },
      { callStatus: 'FAILED', resultPreview: fill(labels.switchedOff, { key: SALE }) },
    ]);
  });

  it('loses a pack that is switched off, which is refused when it is called for all the same', async () => {
    const admin = await app.client({ company: await app.company() });
    await setActive(admin, LOAN, false);
    const off = await play(
      [load(LOAN), read(LOAN, 'references/novacion-y-cancelacion.md'), done],
      solven,
      admin,
    );
    expect(loadableIn(off.requests[0])).toEqual([LEASE, SALE]);
    expect(systemOf(off.requests[0])).not.toContain(LOAN);
    expect(skillStory(off.events)).toEqual([
      'SkillStarted load_skill',
      'SkillFinished load_skill FAILED',
      'SkillStarted read_skill_file',
      'SkillFinished read_skill_file FAILED',
    ]);
    expect(toldIn(off.requests[1])).toEqual({ error: expect.stringContaining(LOAN) });
    expect(loadedIn(systemOf(off.requests[2]))).toEqual([]);
    await setActive(admin, LOAN, true);
    const on = await play([load(LOAN), done], solven, admin);
    expect(loadedIn(systemOf(on.requests[1]))).toEqual([LOAN]);
  });
});

describe('loading a pack', () => {
  it('is told in order, and puts its instructions into the system message and nowhere else', async () => {
    const { requests, events, turnId } = await play([load(SALE), done]);
    expect(skillStory(events)).toEqual([
      'SkillStarted load_skill',
      `SkillLoaded ${SALE}`,
      'SkillFinished load_skill SUCCEEDED',
    ]);
    const [first, second] = requests.map(systemOf);
    const body = await bodyOf(SALE);
    // What is the same in both is where it was: a provider's cache holds on to it.
    expect(second?.startsWith(first ?? '-')).toBe(true);
    const shown = `<skill_content name="${SALE}">\n${body}\n\n<skill_resources>\n- references/`;
    expect(second?.slice(first?.length)).toContain(shown);
    expect(toldIn(requests[1])).toEqual({ loaded: SALE, note: labels.loaded });
    expect(JSON.stringify(readRequest(requests[1]).messages.slice(1))).not.toContain(body.slice(0, 40));
    expect(toolsOf(requests[1])).toEqual(toolsOf(requests[0]));
    expect(await turnOf(client, turnId)).toMatchObject({
      status: 'COMPLETED',
      skillCalls: [{ skill: 'load_skill', status: 'SUCCEEDED', resultPreview: SALE }],
    });
  });

  it('may be done of several in a turn, in one step and the next; again, it says that it is there', async () => {
    const both: ProviderReply = [
      toolCall('load_skill', { skill: SALE }),
      toolCall('load_skill', { skill: LEASE }),
      finish(),
    ];
    const { requests, events } = await play([both, load(LOAN), load(SALE), done]);
    expect(requests.map((body) => loadedIn(systemOf(body)))).toEqual([
      [],
      [SALE, LEASE],
      [SALE, LEASE, LOAN],
      [SALE, LEASE, LOAN],
    ]);
    expect(skillStory(events).filter((word) => word.startsWith('SkillLoaded'))).toEqual(
      [SALE, LEASE, LOAN].map((key) => `SkillLoaded ${key}`),
    );
    expect(finished(events).map(({ callStatus }) => callStatus)).toEqual(Array(4).fill('SUCCEEDED'));
    expect(toldIn(requests[3])).toEqual({ note: labels.loadedAlready });
    for (const key of SHIPPED) expect(systemOf(requests[3])).toContain(await bodyOf(key));
    for (const content of resultsIn(requests[3])) expect(content.length).toBeLessThan(300);
  });

  it('of what is not there names what is nearest, and of no key asks for one', async () => {
    const { requests, events } = await play([load('escrituras/compra'), load(''), done]);
    expect(toldIn(requests[1])).toEqual({ error: expect.stringContaining(SALE) });
    expect(toldIn(requests[2])).toEqual({ error: labels.keyMissing });
    expect(skillStory(events).filter((word) => word.startsWith('SkillLoaded'))).toEqual([]);
  });
});

describe('what a pack leaves behind', () => {
  const cleanSystem = async (): Promise<string> => systemOf((await play([done])).requests[0]);
  const next = async (conversationId: string): Promise<JsonObject[]> =>
    (await play([done], { conversationId })).requests;

  const expectClean = async (conversationId: string): Promise<void> => {
    const [body] = await next(conversationId);
    expect(systemOf(body)).toBe(await cleanSystem());
    expect(JSON.stringify(readRequest(body).messages)).not.toContain((await bodyOf(SALE)).slice(0, 40));
  };

  it('is nothing, once its turn has been answered', async () => {
    const { conversationId, requests } = await play([load(SALE), done]);
    expect(loadedIn(systemOf(requests[1]))).toEqual([SALE]);
    await expectClean(conversationId);
  });

  it('is nothing, when its turn has failed', async () => {
    const { conversationId, requests, events } = await play([load(SALE), [status(401)]]);
    expect(events.at(-1)).toMatchObject({ status: 'FAILED' });
    expect(loadedIn(systemOf(requests[1]))).toEqual([SALE]);
    await expectClean(conversationId);
  });

  it('is nothing, when its turn was cancelled', async () => {
    const silence = barrier();
    const { turnId, conversationId, question } = await ask([load(SALE), [silence.step, hang()]]);
    await silence.reached;
    expect(await cancelTurn(client, turnId)).toMatchObject({ status: 'CANCELLED' });
    silence.open();
    expect(loadedIn(systemOf(requestsFor(app, question)[1]))).toEqual([SALE]);
    await expectClean(conversationId);
  });
});

describe('a file of a pack', () => {
  it('is read when the model asks for it, loaded or not', async () => {
    const path = 'references/borrador.md';
    const { requests, events } = await play([read(SALE, path), done]);
    expect(skillStory(events)).toEqual([
      'SkillStarted read_skill_file',
      'SkillFinished read_skill_file SUCCEEDED',
    ]);
    const content = await shipped(SALE, path);
    expect(toldIn(requests[1])).toMatchObject({ skill: SALE, path, part: 1 });
    const { text: shown, parts } = toldIn(requests[1]) as { text: string; parts: number };
    expect(content.startsWith(shown)).toBe(true);
    expect([shown === content, shown.length > 500]).toEqual([parts === 1, true]);
    expect(loadedIn(systemOf(requests[1]))).toEqual([]);
  });

  it.each([
    'references/nada.md',
    '../hipoteca/SKILL.md',
    'references/../SKILL.md',
    '/etc/passwd',
    '..\\..\\package.json',
    'file:///etc/passwd',
    '',
  ])('is none where no such file is listed: %j', async (path) => {
    const { requests, events } = await play([read(SALE, path), done]);
    expect(finished(events)).toMatchObject([
      { callStatus: 'FAILED', resultPreview: expect.stringContaining(SALE) },
    ]);
    expect(toldIn(requests[1])).toEqual({ error: expect.stringContaining(SALE) });
    expect(resultsIn(requests[1]).join()).not.toMatch(/root:|"name": "palabre"/);
  });
});

it('is still in the prompt of whoever takes the turn over between loading and answering', async () => {
  const own = new ScriptBook();
  await using lasting = await startApp(own.replyTo, { SHUTDOWN_GRACE_SECONDS: '0' }, { isLasting: true });
  const held = barrier();
  // The first owner hears no more than that it may go on: it has to stop, and hands over.
  const question: string = own.add(load(SALE), () =>
    requestsFor(lasting, question).length === 2 ? [held.step, hang()] : done,
  );
  const asker = await lasting.client();
  const { turnId } = await asker.ask(question, solven);
  await held.reached;
  await lasting.restart();
  held.open();
  const later = await lasting.client();
  const events = await later.allEvents(turnId);
  expect(events.at(-1)).toMatchObject({ status: 'COMPLETED', finishReason: 'ANSWERED' });
  expect(skillStory(events)).toEqual([
    'SkillStarted load_skill',
    `SkillLoaded ${SALE}`,
    'SkillFinished load_skill SUCCEEDED',
  ]);
  const systems = requestsFor(lasting, question).map(systemOf);
  expect(systems.map(loadedIn)).toEqual([[], [SALE], [SALE]]);
  expect(systems[2]).toBe(systems[1]);
});
