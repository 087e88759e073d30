import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderStep } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { type AgUiEvent, conversationIn, framesIn, messagesOf, postAgUi } from '../harness/ag-ui.js';
import { eventually } from '../harness/eventually.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const UPDATE = 'update_company_profile';
const book = new ScriptBook();
let app: TestApp;
let admin: TestClient;
let member: TestClient;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
  admin = await app.client();
  member = await app.client({ sub: 'bea', role: 'MEMBER' });
  await admin.get(`mutation { setSkillApproval(key: "${UPDATE}", required: true) { id } }`);
});
afterAll(() => app[Symbol.asyncDispose]());

function said(...words: string[]): ProviderStep[] {
  return [...words.map((word) => text(word)), finish()];
}

describe('the stream', () => {
  it('is the same again for the same run, and resumes exactly after any of its frames', async () => {
    const calls = toolCall('recall', { query: 'rien' }, 'call_1');
    const question = book.add([text('Je'), calls, finish()], said('Voi', 'là.'));
    const input = {
      threadId: newId(),
      runId: newId(),
      protocolVersion: '1.0',
      messages: [{ id: 'u1', role: 'user', content: question }],
    };
    const before = app.provider.requests.length;
    const whole = framesIn(await (await postAgUi(member, 'mefali', input)).text());
    expect(whole.at(-1)?.event.type).toBe('RUN_FINISHED');
    for (const [index, { id }] of whole.entries()) {
      const rest = framesIn(await (await postAgUi(member, 'mefali', input, { 'last-event-id': id! })).text());
      expect(rest).toEqual(whole.slice(index + 1));
    }
    expect(framesIn(await (await postAgUi(member, 'mefali', input)).text())).toEqual(whole);
    expect(app.provider.requests.length - before).toBe(2);
    const other = { ...input, messages: [{ id: 'u1', role: 'user', content: 'Other.' }] };
    const refused = await postAgUi(member, 'mefali', other);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'CONFLICT' }),
    ]);
  });

  it('is the same again for a run that gives the result of a tool, whatever the turn has done since', async () => {
    const question = book.add([toolCall('read_page', {}, 'call_p'), finish()], said('Vu', '.'));
    const threadId = newId();
    const tools = [{ name: 'readPage', description: 'x', parameters: { type: 'object' } }];
    const asked = {
      threadId,
      runId: newId(),
      tools,
      messages: [{ id: 'u', role: 'user', content: question }],
    };
    const first = framesIn(await (await postAgUi(member, 'mefali', asked)).text());
    const { toolCallId } = first.find(({ event }) => event.type === 'TOOL_CALL_START')!.event;
    // Whoever connects later has no tools with it.
    const connected = framesIn(
      await (await postAgUi(member, 'mefali/connect', { threadId, runId: newId() })).text(),
    );
    expect(connected.find(({ event }) => event.type === 'TOOL_CALL_START')?.event).toMatchObject({
      toolCallName: 'readPage',
    });
    const result = { id: 'r', role: 'tool', toolCallId, content: 'Accueil' };
    const given = { ...asked, runId: newId(), messages: [...asked.messages, result] };
    const whole = framesIn(await (await postAgUi(member, 'mefali', given)).text());
    expect(whole.at(-1)?.event.type).toBe('RUN_FINISHED');
    for (const [index, { id }] of whole.entries()) {
      const rest = framesIn(await (await postAgUi(member, 'mefali', given, { 'last-event-id': id! })).text());
      expect(rest).toEqual(whole.slice(index + 1));
    }
  });

  it.each(['continue', 'cancel'])('whose client leaves, with the policy %s', async (onDisconnect) => {
    const waits = barrier();
    const threadId = newId();
    const input = {
      threadId,
      runId: newId(),
      messages: [
        { id: 'u', role: 'user', content: book.add([text('Un'), waits.step, text(' mot.'), finish()]) },
      ],
      forwardedProps: { onDisconnect },
    };
    const abort = new AbortController();
    const response = await fetch(`${app.url}/ag-ui/mefali`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${member.token}` },
      body: JSON.stringify(input),
      signal: abort.signal,
    });
    await waits.reached;
    const chunk = await response.body!.getReader().read();
    const [{ event }] = framesIn(new TextDecoder().decode(chunk.value)) as unknown as [{ event: AgUiEvent }];
    const { turnId } = event.metadata as { turnId: string };
    abort.abort();
    if (onDisconnect === 'continue') waits.open();
    const status = onDisconnect === 'continue' ? 'COMPLETED' : 'CANCELLED';
    await eventually(
      () => turnOf(member, turnId),
      (turn) => turn.status === status,
    );
    waits.open();
  });

  it('is that of a thread of its member alone', async () => {
    const input = (threadId: string) => ({
      threadId,
      runId: newId(),
      messages: [{ id: 'u', role: 'user', content: book.add(said('À moi.')) }],
    });
    const threadId = newId();
    const mine = framesIn(await (await postAgUi(member, 'mefali', input(threadId))).text()).map(
      ({ event }) => event,
    );
    const conversationId = conversationIn(mine);
    const elsewhere = await app.client({ company: await app.company() });
    const colleague = await app.client({ sub: 'cleo', role: 'MEMBER' });
    for (const stranger of [elsewhere, colleague]) {
      for (const id of [threadId, conversationId]) {
        for (const path of ['mefali/connect', 'mefali/cancel']) {
          const response = await postAgUi(stranger, path, { threadId: id, runId: newId() });
          expect([path, response.status]).toEqual([path, 404]);
        }
        const theirs = framesIn(await (await postAgUi(stranger, 'mefali', input(id))).text());
        expect(conversationIn(theirs.map(({ event }) => event))).not.toBe(conversationId);
      }
    }
    expect(await messagesOf(member, conversationId)).toHaveLength(2);
    // Its own conversation may be named as well.
    const named = { ...input(conversationId), forwardedProps: { follows: true } };
    const more = framesIn(await (await postAgUi(member, 'mefali', named)).text()).map(({ event }) => event);
    expect(conversationIn(more)).toBe(conversationId);
    expect(await messagesOf(member, conversationId)).toHaveLength(4);
  });
});

describe('what is asked with', () => {
  it('are files, which become attachments', async () => {
    const content = [
      { type: 'text', text: book.add(said('Un plan.')) },
      { type: 'document', source: { type: 'data', value: btoa('# Plan'), mimeType: 'text/markdown' } },
      { type: 'image', source: { type: 'url', value: `data:image/png;base64,${PNG}` } },
    ];
    const input = { threadId: newId(), runId: newId(), messages: [{ id: 'u', role: 'user', content }] };
    const frames = framesIn(await (await postAgUi(member, 'mefali', input)).text()).map(({ event }) => event);
    const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 1) { edges { node { parts {
      ... on ImagePart { attachment { kind } } ... on FilePart { attachment { kind name } } } } } } } }`;
    const { conversation } = await member.get<{ conversation: { messages: { edges: JsonObject[] } } }>(
      query,
      {
        id: conversationIn(frames),
      },
    );
    expect(JSON.stringify(conversation.messages.edges)).toContain('"kind":"IMAGE"');
    expect(JSON.stringify(conversation.messages.edges)).toContain('file.markdown');
    // Sent once more, they are not taken in once more.
    const again = framesIn(await (await postAgUi(member, 'mefali', input)).text()).map(({ event }) => event);
    expect(again).toEqual(frames);
  });

  it.each<[string, JsonObject, number, string]>([
    ['no thread', { threadId: '' }, 400, 'BAD_USER_INPUT'],
    ['no message', { messages: [] }, 400, 'BAD_USER_INPUT'],
    ['an empty message', { messages: [{ id: 'u', role: 'user', content: ' ' }] }, 400, 'BAD_USER_INPUT'],
    [
      'a file to be fetched',
      {
        messages: [
          {
            id: 'u',
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image', source: { type: 'url', value: 'http://169.254.169.254/' } },
            ],
          },
        ],
      },
      400,
      'BAD_USER_INPUT',
    ],
    [
      'a tool with the name of a skill',
      { tools: [{ name: 'remember', description: 'x', parameters: { type: 'object' } }] },
      400,
      'BAD_USER_INPUT',
    ],
    ['an unknown policy', { forwardedProps: { onDisconnect: 'explode' } }, 400, 'BAD_USER_INPUT'],
    ['an unknown interrupt', { resume: [{ interruptId: newId(), status: 'cancelled' }] }, 404, 'NOT_FOUND'],
  ])('is refused where it is %s', async (_, change, status, code) => {
    const input = {
      threadId: newId(),
      runId: newId(),
      messages: [{ id: 'u', role: 'user', content: 'Hi' }],
      ...change,
    };
    const response = await postAgUi(member, 'mefali', input);
    expect([response.status, ((await response.json()) as JsonObject).code]).toEqual([status, code]);
  });

  it('is refused of a result that nobody has asked for, and asks nothing', async () => {
    const threadId = newId();
    const question = book.add(said('Bonjour.'));
    const user = { id: 'u', role: 'user', content: question };
    const stray = { id: 'r', role: 'tool', toolCallId: newId(), content: '{}' };
    const refusalOf = async (messages: object[]): Promise<unknown> => {
      const response = await postAgUi(member, 'mefali', { threadId, runId: newId(), messages });
      const { code, path } = (await response.json()) as JsonObject;
      return [response.status, code, path];
    };
    expect(await refusalOf([user, stray])).toEqual([404, 'NOT_FOUND', ['messages', '1', 'toolCallId']]);
    expect((await postAgUi(member, 'mefali/connect', { threadId, runId: newId() })).status).toBe(404);
    const answered = await postAgUi(member, 'mefali', { threadId, runId: newId(), messages: [user] });
    const first = framesIn(await answered.text());
    const asked = app.provider.requests.length;
    const answer = { id: 'a', role: 'assistant', content: 'Bonjour.' };
    expect(await refusalOf([user, answer, stray])).toEqual([
      404,
      'NOT_FOUND',
      ['messages', '2', 'toolCallId'],
    ]);
    expect(app.provider.requests).toHaveLength(asked);
    const stored = await messagesOf(member, conversationIn(first.map(({ event }) => event)));
    expect(stored).toHaveLength(2);
  });

  it('is refused of an unknown assistant, a stranger, a bad id of an event, and a key without the scope', async () => {
    const input = { threadId: newId(), runId: newId(), messages: [{ id: 'u', role: 'user', content: 'Hi' }] };
    expect((await postAgUi(member, 'nobody', input)).status).toBe(404);
    expect((await postAgUi(member, 'mefali', input, { authorization: 'Bearer x' })).status).toBe(401);
    expect((await postAgUi(member, 'mefali', input, { 'last-event-id': 'x' })).status).toBe(400);
    const create = `mutation ($scopes: [ApiKeyScope!]!) { createApiKey(input: { name: "k", scopes: $scopes }) { secret } }`;
    const { createApiKey } = await admin.get<{ createApiKey: { secret: string } }>(create, {
      scopes: ['READ'],
    });
    const headers = { authorization: `Bearer ${createApiKey.secret}` };
    const refused = await postAgUi(member, 'mefali', input, headers);
    expect([refused.status, ((await refused.json()) as JsonObject).code]).toEqual([403, 'FORBIDDEN']);
    expect((await postAgUi(member, 'mefali/cancel', input, headers)).status).toBe(403);
    expect((await postAgUi(member, 'mefali/connect', input, headers)).status).toBe(404);
  });
});

it('is refused leave that only admins give', async () => {
  const threadId = newId();
  const call = toolCall(UPDATE, { sector: 'Solaire' }, 'call_a');
  const messages = [{ id: 'u', role: 'user', content: book.add([call, finish()], said('Jamais.')) }];
  const frames = framesIn(
    await (await postAgUi(member, 'mefali', { threadId, runId: newId(), messages })).text(),
  );
  const { interrupts } = frames.at(-1)!.event.outcome as unknown as { interrupts: { id: string }[] };
  const resume = [{ interruptId: interrupts[0]!.id, status: 'resolved', payload: { approved: true } }];
  const refused = await postAgUi(member, 'mefali', { threadId, runId: newId(), messages, resume });
  expect([refused.status, ((await refused.json()) as JsonObject).code]).toEqual([403, 'FORBIDDEN']);
  // Another thread has no such interrupt.
  const elsewhere = await postAgUi(member, 'mefali', { threadId: newId(), runId: newId(), messages, resume });
  expect(elsewhere.status).toBe(404);
});

it('puts a new question before what waits, and refuses a bad answer', async () => {
  const threadId = newId();
  const question = book.add([toolCall('ask_user', { prompt: 'Où ?' }, 'call_q'), finish()], said('Jamais.'));
  const messages = [{ id: 'u', role: 'user', content: question }];
  const frames = framesIn(
    await (await postAgUi(member, 'mefali', { threadId, runId: newId(), messages })).text(),
  );
  const { interrupts } = frames.at(-1)!.event.outcome as unknown as { interrupts: { id: string }[] };
  const resume = [{ interruptId: interrupts[0]!.id, status: 'resolved', payload: { answer: 7 } }];
  const refused = await postAgUi(member, 'mefali', { threadId, runId: newId(), messages, resume });
  expect([refused.status, ((await refused.json()) as JsonObject).code]).toEqual([400, 'BAD_USER_INPUT']);
  const next = { id: 'u2', role: 'user', content: book.add(said('Bien.')) };
  const input = { threadId, runId: newId(), messages: [...messages, next] };
  const answered = framesIn(await (await postAgUi(member, 'mefali', input)).text()).map(({ event }) => event);
  expect(answered.filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')).toMatchObject([{ delta: 'Bien.' }]);
});
