import { strFromU8, unzipSync } from 'fflate';
import type { Client } from 'graphql-ws';
import { finish, gate, reasoning, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { eventually } from '../harness/eventually.js';
import { memoriesOf, remember } from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { lastOf, readRequest } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';

const THERESE = { assistantKey: 'therese' };
const TEMPLATE =
  '{date} {name} {language} {profile} {initial_context_title} {initial_context_description} {skill}';
const EXPORT = 'mutation { exportMyData { id name mediaType kind url } }';
const ERASE_ME = 'mutation { eraseMyData }';
const ERASE = 'mutation ($id: ID!) { eraseMember(id: $id) }';
const NOT_FOUND = { extensions: { code: 'NOT_FOUND' } };
const VIEW = `{ viewer { id name } memories { edges { node { id } } }
  conversations { edges { node { id } } } files { edges { node { id } } } }`;

interface View {
  viewer: { id: string; name: string };
  memories: { edges: unknown[] };
  conversations: { edges: unknown[] };
  files: { edges: unknown[] };
}
interface Exported {
  exportMyData: { id: string; name: string; mediaType: string; kind: string; url: string };
}

let app: TestApp;
let company: string;
let companyId: string;
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;
let reply: (body: JsonObject) => ProviderReply;
let note: () => ProviderReply;

function isTask(body: JsonObject): boolean {
  return readRequest(body).tool_choice?.function !== undefined;
}
const answer: ProviderReply = [text('Voilà.'), finish()];

beforeAll(async () => {
  app = await shareApp((body) => (isTask(body) ? note() : reply(body)));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  reply = () => answer;
  note = () => [toolCall('note_memories', { memories: [] }), finish()];
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  ({ companyId } = await identityOf(ada));
});

async function ask(asker: TestClient, question: string): Promise<string> {
  const { turnId, conversationId } = await asker.ask(question, THERESE);
  await asker.allEvents(turnId);
  return conversationId;
}

/** Leaves something in every place where data of a member are kept, with the marker in it. */
async function live(asker: TestClient, marker: string): Promise<void> {
  await remember(asker, { kind: 'CONTACT', subject: `Awa ${marker}`, content: `knows ${marker}` });
  reply = (body) =>
    lastOf(body).role === 'tool'
      ? answer
      : [toolCall('remember', { kind: 'FACT', subject: 'Code', content: `is ${marker}` }), finish()];
  await ask(asker, `My code is ${marker}.`);
  await ada.get('mutation { updateAssistant(key: "therese", input: { showsReasoning: true }) { id } }');
  reply = () => [reasoning(`Of ${marker}.`), ...answer];
  await ask(asker, `What is ${marker}?`);
  await asker.get('mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }', {
    input: { ...THERESE, message: `Is it ${marker}?`, when: { at: '2099-01-01T00:00:00Z' } },
  });
  await asker.get(EXPORT);
}

async function archiveOf(asker: TestClient): Promise<Record<string, JsonObject[]>> {
  const { exportMyData } = await asker.get<Exported>(EXPORT);
  const response = await fetch(exportMyData.url);
  expect(response.headers.get('content-type')).toBe('application/zip');
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      strFromU8(bytes)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JsonObject),
    ]),
  );
}

async function isGone(id: string): Promise<boolean> {
  return (
    (await app.database.transaction(companyId, (tx) => tx.query('SELECT FROM member WHERE id = $1', [id])))
      .length === 0
  );
}

function whenGone(id: string): Promise<boolean> {
  return eventually(() => isGone(id), Boolean);
}

describe('an export', () => {
  it('holds all that is kept of a member, and nothing of anybody else', async () => {
    const own = newId();
    const others = newId();
    await live(awa, own);
    await live(ben, others);
    const archive = await archiveOf(awa);
    expect(Object.keys(archive).toSorted()).toEqual([
      'conversations.ndjson',
      'documents.ndjson',
      'files.ndjson',
      'memories.ndjson',
      'messages.ndjson',
      'notifications.ndjson',
      'profile.ndjson',
      'schedules.ndjson',
      'skillRecords.ndjson',
      'usage.ndjson',
    ]);
    expect(archive['profile.ndjson']).toMatchObject([{ subject: 'awa', name: 'awa', role: 'MEMBER' }]);
    expect(archive['conversations.ndjson']).toHaveLength(2);
    expect(archive['messages.ndjson']!.map(({ role, text: said }) => [role, said])).toEqual([
      ['USER', `My code is ${own}.`],
      ['ASSISTANT', 'Voilà.'],
      ['USER', `What is ${own}?`],
      ['ASSISTANT', 'Voilà.'],
    ]);
    expect(archive['messages.ndjson']!.map(({ parts }) => parts)).toEqual([
      null,
      null,
      null,
      [
        { type: 'reasoning', text: `Of ${own}.` },
        { type: 'text', text: 'Voilà.' },
      ],
    ]);
    expect(archive['memories.ndjson']!.map(({ content }) => content)).toEqual([`knows ${own}`, `is ${own}`]);
    expect(archive['schedules.ndjson']!.map(({ message }) => message)).toEqual([`Is it ${own}?`]);
    expect(archive['usage.ndjson']).toMatchObject([
      { assistantKey: 'therese', modelCalls: expect.any(Number) },
    ]);
    expect(JSON.stringify(archive)).not.toContain(others);
  });

  it('goes on over pages of any part', async () => {
    const { id } = await identityOf(awa);
    const conversations = [await ask(awa, 'One?'), await ask(awa, 'Two?'), await ask(awa, 'Three?')];
    const texts = Array.from({ length: 1_203 }, (_, index) => `message ${index}`);
    await app.database.transaction(companyId, async (tx) => {
      await tx.query('DELETE FROM message WHERE conversation_id = $1', [conversations[1]]);
      for (const said of texts) {
        await tx.query(
          `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text)
           VALUES ($1, $2, $3, $3, 'USER', 'COMPLETE', $4)`,
          [companyId, newId(), conversations[0], said],
        );
      }
    });
    const archive = await archiveOf(awa);
    expect(archive['profile.ndjson']).toMatchObject([{ id }]);
    const said = archive['messages.ndjson']!.map((message) => message['text']);
    expect(said).toEqual(['One?', 'Voilà.'].concat(texts, 'Three?', 'Voilà.'));
  });

  it('takes the place of the one before', async () => {
    const first = await awa.get<Exported>(EXPORT);
    const second = await awa.get<Exported>(EXPORT);
    const { files } = await awa.get<{ files: { edges: { node: { id: string } }[] } }>(
      '{ files { edges { node { id } } } }',
    );
    expect(files.edges.map(({ node }) => node.id)).toEqual([second.exportMyData.id]);
    const gone = await fetch(new URL(new URL(first.exportMyData.url).pathname, app.url));
    expect(gone.status).toBe(404);
  });
});

describe('an erasure', () => {
  it('leaves nothing of the member in any table nor in the storage, and others as they were', async () => {
    const own = newId();
    const others = newId();
    await live(awa, own);
    await live(ben, others);
    const { id } = await identityOf(awa);
    const held = await tablesHolding(app.database, others);
    expect((await tablesHolding(app.database, own)).length).toBeGreaterThan(5);
    expect(await app.storage.list(`files/${companyId}/`, 10)).toHaveLength(2);

    expect(await awa.get(ERASE_ME)).toEqual({ eraseMyData: id });
    await whenGone(id);

    expect(await tablesHolding(app.database, own)).toEqual([]);
    // The job that did it is finished, and goes with its archive.
    expect(
      (await tablesHolding(app.database, id)).filter((table) => !/^(?:job|j[0-9a-f]{20,})/.test(table)),
    ).toEqual([]);
    await eventually(
      () => app.storage.list(`files/${companyId}/`, 10),
      ({ length }) => length === 1,
    );
    expect(await tablesHolding(app.database, others)).toEqual(held);
    expect(await memoriesOf(ben, { active: true })).toHaveLength(2);
  });

  it('makes whoever comes with the same token somebody new, at once', async () => {
    await live(awa, newId());
    const before = await identityOf(awa);
    await awa.get(ERASE_ME);
    const { viewer, ...rest } = await awa.get<View>(VIEW);
    expect(viewer.id).not.toBe(before.id);
    expect(rest).toEqual({ memories: { edges: [] }, conversations: { edges: [] }, files: { edges: [] } });
    await whenGone(before.id);
    await ask(awa, 'Who am I?');
  });

  it('ends the member’s connections, of which the one that asked for it is answered first', async () => {
    const open = async (): Promise<{ socket: Client; closed: Promise<unknown> }> => {
      const connected = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<unknown>();
      const on = { connected: () => connected.resolve(), closed: closed.resolve };
      const socket = awa.socket({ lazy: false, on, onNonLazyError: () => undefined });
      await connected.promise;
      return { socket, closed: closed.promise };
    };
    const [asking, listening] = await Promise.all([open(), open()]);
    const notices = listening.socket.iterate({ query: 'subscription { notificationAdded { id } }' });
    const cut = notices.next().then(
      () => null,
      (error: unknown) => error,
    );
    const { id } = await identityOf(awa);
    const told = asking.socket.iterate({ query: ERASE_ME });
    expect(await Array.fromAsync(told)).toEqual([{ data: { eraseMyData: id } }]);
    const ends = await Promise.all([asking.closed, listening.closed, cut]);
    expect(ends).toEqual(Array(3).fill(expect.objectContaining({ code: 4403 })));
  });

  it('cancels a turn that is under way', async () => {
    const asked = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    reply = () => {
      asked.resolve();
      return [text('Well'), gate(never.promise), finish()];
    };
    const { turnId } = await awa.ask('A long one?', THERESE);
    await asked.promise;
    const { id } = await identityOf(awa);
    await awa.get(ERASE_ME);
    await whenGone(id);
    never.resolve();
    expect(await tablesHolding(app.database, turnId)).toEqual([]);
  });

  it('keeps what the company paid for and changed, without the member', async () => {
    const { id } = await identityOf(ada);
    const boss = await app.client({ company, sub: 'boss', role: 'ADMIN' });
    await ada.get(
      `mutation { setQuota(input: { subject: MEMBER, memberId: "${id}", period: DAY, maxTokens: 1000000 }) { period } }`,
    );
    await ada.get(`mutation { publishPrompt(assistantKey: "therese", template: "${TEMPLATE}") { version } }`);
    await remember(ada, { kind: 'FACT', subject: 'Office', content: 'is in Dakar', shared: true });
    await ask(ada, 'Where is the office?');
    await boss.get(ERASE, { id });
    await whenGone(id);

    const { auditEntries, assistant } = await boss.get<{
      auditEntries: { edges: { node: { action: string; memberName: string | null; subject: string } }[] };
      assistant: { promptHistory: { version: number; publishedBy: string | null }[] };
    }>(`{ auditEntries { edges { node { action memberName subject } } }
      assistant(key: "therese") { promptHistory { version publishedBy } } }`);
    expect(auditEntries.edges.map(({ node }) => [node.action, node.memberName])).toEqual([
      ['member.erased', 'boss'],
      ['memory.remembered', null],
      ['prompt.published', null],
      ['quota.set', null],
    ]);
    expect(JSON.stringify(auditEntries)).not.toContain(id);
    expect(assistant.promptHistory[0]).toEqual({ version: 1, publishedBy: null });
    const spent = await app.database.transaction(companyId, (tx) =>
      tx.query<{ tokens: number }>('SELECT sum(input_tokens)::int AS tokens FROM usage_day'),
    );
    expect(spent[0]!.tokens).toBeGreaterThan(0);
    const [shared] = await memoriesOf(ben);
    expect(shared).toMatchObject({ content: 'is in Dakar', shared: true });
  });

  it('has the company pay for what a model is still asked beside a turn, without the member', async () => {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const noted = note();
    note = () => {
      asked.resolve();
      return [gate(gone.promise), ...noted];
    };
    await ask(awa, 'Marc Diop is my accountant.');
    await asked.promise;
    const { id } = await identityOf(awa);
    await awa.get(ERASE_ME);
    await whenGone(id);
    gone.resolve();
    await eventually(
      () =>
        app.database.transaction(companyId, (tx) =>
          tx.query<{ calls: number }>('SELECT sum(model_calls)::int AS calls FROM usage_day'),
        ),
      ([used]) => used?.calls === 2,
    );
    expect(
      (await tablesHolding(app.database, id)).filter((table) => !/^(?:job|j[0-9a-f]{20,})/.test(table)),
    ).toEqual([]);
  });

  it('is begun once however often it is asked for, and audited once', async () => {
    const { id } = await identityOf(awa);
    const answers = await Promise.all(Array.from({ length: 5 }, () => ada.send(ERASE, { id })));
    await whenGone(id);
    for (const { data, errors } of answers) {
      if (data) expect(data).toEqual({ eraseMember: id });
      else expect(errors).toMatchObject([NOT_FOUND]);
    }
    expect((await ada.send(ERASE, { id })).errors).toMatchObject([NOT_FOUND]);
    const { auditEntries } = await ada.get<{ auditEntries: { edges: unknown[] } }>(
      '{ auditEntries { edges { node { action } } } }',
    );
    expect(auditEntries.edges).toEqual([{ node: { action: 'member.erased' } }]);
  });

  it('of somebody else is for admins of the same company', async () => {
    const { id } = await identityOf(awa);
    const stranger = await app.client({ company: await app.company(), sub: 'eve', role: 'ADMIN' });
    expect((await ben.send(ERASE, { id })).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await stranger.send(ERASE, { id })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await ada.send(ERASE, { id: newId() })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await ada.send(ERASE, { id: 'nobody' })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect(await isGone(id)).toBe(false);
    expect(await identityOf(awa)).toMatchObject({ id });
  });
});
