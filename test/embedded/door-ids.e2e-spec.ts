import { WebSocket } from 'ws';
import { finish, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { type DoorRoute, Doors, type DoorSocket } from '../../src/doors/doors.service.js';
import type { ObjectKind } from '../harness/authorisation-lines.js';
import { AuthorisationObjects, CHANGE } from '../harness/authorisation-objects.js';
import { callTool, eras, mcpClient } from '../harness/mcp-client.js';
import { spokenIn } from '../harness/provider-request.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

type Asking = (client: TestClient, id: string) => Promise<string>;

/** An id that a door takes: of what, and how it is asked for there. */
type Place = [what: string, kind: ObjectKind | 'thread', ask: Asking];

const ASSISTANT = 'mefali';
const stack = new AsyncDisposableStack();
const routes = new Set<string>();
let app: TestApp;
let colleague: AuthorisationObjects;
let stranger: AuthorisationObjects;
let makers: TestClient[];
let ada: TestClient;

function reply(request: JsonObject): ProviderReply {
  return (spokenIn(request).at(-1) ?? '').endsWith(CHANGE)
    ? [toolCall('update_company_profile', { city: 'Thiès' }), finish()]
    : [text('Bonjour.'), finish()];
}

beforeAll(async () => {
  const route = vi.spyOn(Doors.prototype, 'route');
  const socket = vi.spyOn(Doors.prototype, 'socket');
  app = stack.use(await startApp(reply));
  for (const [{ method, url }] of route.mock.calls as [DoorRoute][])
    for (const one of [method].flat()) routes.add(`${one} ${url}`);
  for (const [{ path }] of socket.mock.calls as [DoorSocket][]) routes.add(`WebSocket ${path}`);
  vi.restoreAllMocks();
  const elsewhere = await app.company();
  colleague = await AuthorisationObjects.of(app, 'demo');
  stranger = await AuthorisationObjects.of(app, elsewhere);
  makers = [await app.client({ sub: 'maker' }), await app.client({ sub: 'maker', company: elsewhere })];
  ada = await app.client({ sub: 'ada', role: 'MEMBER' });
});
afterAll(() => stack.disposeAsync());

async function send(client: TestClient, path: string, body?: object): Promise<string> {
  const answer = await fetch(`${app.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`;
}

function posting(path: (id: string) => string, bodyOf: (id: string) => object = () => ({})): Asking {
  return (client, id) => send(client, path(id), bodyOf(id));
}

function getting(path: (id: string) => string): Asking {
  return (client, id) => send(client, path(id));
}

/** As clients of OpenAI know it. */
function prefixed(prefix: string, id: string): string {
  return `${prefix}_${id.replaceAll('-', '')}`;
}

function responding(bodyOf: (id: string) => object): Asking {
  return posting(
    () => '/v1/responses',
    (id) => ({ model: ASSISTANT, ...bodyOf(id) }),
  );
}

function said(id: string = newId()) {
  return { id, role: 'user', content: 'Bonjour.', parts: [{ type: 'text', text: 'Bonjour.' }] };
}

function running(path: string, bodyOf: (id: string) => object): Asking {
  return posting(
    () => `/ag-ui/${ASSISTANT}${path}`,
    (id) => ({ threadId: 'a-thread', runId: 'a-run', ...bodyOf(id) }),
  );
}

function chatting(bodyOf: (id: string) => object): Asking {
  return posting(
    () => `/ai-sdk/${ASSISTANT}`,
    (id) => ({ id: newId(), messages: [said()], ...bodyOf(id) }),
  );
}

function calling(name: string, inputOf: (id: string) => JsonObject): Asking {
  return async (client, id) => {
    const mcp = await mcpClient(client, eras[0]);
    const given = await callTool(mcp, name, inputOf(id));
    await mcp.close();
    return JSON.stringify(given);
  };
}

function reading(uriOf: (id: string) => string): Asking {
  return async (client, id) => {
    const mcp = await mcpClient(client, eras[0]);
    const given = await mcp.readResource({ uri: uriOf(id) }).catch((error: unknown) => String(error));
    await mcp.close();
    return JSON.stringify(given);
  };
}

/** The first message of a socket, or how it is closed. */
function overSocket(bodyOf: (id: string) => object): Asking {
  return (client, id) =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${app.url}/v1/responses`.replace('http', 'ws'), {
        headers: { authorization: `Bearer ${client.token}` },
      });
      socket.on('open', () => socket.send(JSON.stringify({ type: 'response.create', ...bodyOf(id) })));
      socket.on('message', (message: Buffer) => {
        resolve(message.toString());
        socket.close();
      });
      socket.on('close', (code) => resolve(`closed: ${code}`));
    });
}

function outputFor(id: string) {
  return { input: [{ type: 'function_call_output', call_id: prefixed('call', id), output: '"Oui"' }] };
}

function toolPart(id: string, state: string) {
  const approval = { id, approved: true };
  return {
    messages: [
      said(),
      {
        id: newId(),
        role: 'assistant',
        parts: [{ type: 'tool-x', toolCallId: id, state, input: {}, output: 'Oui', approval }],
      },
    ],
  };
}

/** Every route of every door, with all the ids that it takes: a new route needs a line here. */
const doors: Record<string, Place[]> = {
  'DELETE /v1/*': [],
  'GET /v1/*': [],
  'POST /v1/*': [],
  'GET /v1/models': [],
  'GET /v1/models/:key': [['id', 'assistant', getting((id) => `/v1/models/${id}`)]],
  'POST /v1/chat/completions': [
    [
      'model',
      'assistant',
      posting(
        () => '/v1/chat/completions',
        (id) => ({ model: id, messages: [said()] }),
      ),
    ],
    [
      'tool_call_id',
      'clientSkillCall',
      posting(
        () => '/v1/chat/completions',
        (id) => ({
          model: ASSISTANT,
          messages: [said(), { role: 'tool', tool_call_id: prefixed('call', id), content: 'Oui' }],
        }),
      ),
    ],
  ],
  'POST /v1/responses': [
    [
      'previous_response_id',
      'turn',
      responding((id) => ({ input: 'Et ?', previous_response_id: prefixed('resp', id) })),
    ],
    [
      'conversation',
      'conversation',
      responding((id) => ({ input: 'Et ?', conversation: prefixed('conv', id) })),
    ],
    ['call_id', 'clientSkillCall', responding(outputFor)],
    ['call_id of a question', 'question', responding(outputFor)],
    [
      'approval_request_id',
      'approval',
      responding((id) => ({
        input: [{ type: 'mcp_approval_response', approval_request_id: prefixed('apr', id), approve: true }],
      })),
    ],
    [
      'item_reference',
      'turn',
      responding((id) => ({ input: [{ id: prefixed('msg', id) }, { role: 'user', content: 'Et ?' }] })),
    ],
  ],
  'GET /v1/responses/:id': [
    ['id', 'turn', getting((id) => `/v1/responses/${prefixed('resp', id)}`)],
    ['id of a stream', 'turn', getting((id) => `/v1/responses/${prefixed('resp', id)}?stream=true`)],
    ['id of a part', 'approval', getting((id) => `/v1/responses/${prefixed('resp', id)}_1`)],
  ],
  'POST /v1/responses/:id/cancel': [
    ['id', 'turn', posting((id) => `/v1/responses/${prefixed('resp', id)}/cancel`)],
  ],
  'GET /v1/responses/:id/input_items': [
    ['id', 'turn', getting((id) => `/v1/responses/${prefixed('resp', id)}/input_items`)],
  ],
  'POST /v1/responses/compact': [
    [
      'item_reference',
      'turn',
      posting(
        () => '/v1/responses/compact',
        (id) => ({
          model: ASSISTANT,
          input: [{ id: prefixed('msg', id) }, { role: 'user', content: 'Et ?' }],
        }),
      ),
    ],
  ],
  'WebSocket /v1/responses': [
    [
      'previous_response_id',
      'turn',
      overSocket((id) => ({ model: ASSISTANT, input: 'Et ?', previous_response_id: prefixed('resp', id) })),
    ],
    ['call_id', 'clientSkillCall', overSocket((id) => ({ model: ASSISTANT, ...outputFor(id) }))],
  ],
  'POST /ag-ui/:assistantKey': [
    ['threadId', 'conversation', running('', (id) => ({ threadId: id }))],
    ['threadId with a question', 'conversation', running('', (id) => ({ threadId: id, messages: [said()] }))],
    ['threadId that clients choose', 'thread', running('', (id) => ({ threadId: id, messages: [said()] }))],
    ['messages.id', 'message', running('', (id) => ({ threadId: newId(), messages: [said(id), said()] }))],
    [
      'resume.interruptId',
      'question',
      running('', (interruptId) => ({
        threadId: newId(),
        resume: [{ interruptId, status: 'resolved', payload: 'Oui' }],
      })),
    ],
    [
      'resume.interruptId in its own thread',
      'approval',
      running('', (interruptId) => ({
        threadId: newId(),
        resume: [{ interruptId, status: 'resolved', payload: { approved: true } }],
      })),
    ],
  ],
  'POST /ag-ui/:assistantKey/connect': [
    ['threadId', 'conversation', running('/connect', (id) => ({ threadId: id }))],
    ['threadId that clients choose', 'thread', running('/connect', (id) => ({ threadId: id }))],
  ],
  'POST /ag-ui/:assistantKey/cancel': [
    ['threadId', 'conversation', running('/cancel', (id) => ({ threadId: id }))],
    ['threadId that clients choose', 'thread', running('/cancel', (id) => ({ threadId: id }))],
  ],
  'POST /ai-sdk/:assistantKey': [
    ['id', 'conversation', chatting((id) => ({ id }))],
    ['id that clients choose', 'thread', chatting((id) => ({ id }))],
    ['messages.id', 'message', chatting((id) => ({ messages: [said(id)] }))],
    ['messageId', 'message', chatting((messageId) => ({ messageId, trigger: 'regenerate-message' }))],
    ['toolCallId', 'clientSkillCall', chatting((id) => toolPart(id, 'output-available'))],
    ['approval.id', 'approval', chatting((id) => toolPart(id, 'approval-responded'))],
  ],
  'GET /ai-sdk/:assistantKey/:chatId/stream': [
    ['chatId', 'conversation', getting((id) => `/ai-sdk/${ASSISTANT}/${id}/stream`)],
    ['chatId that clients choose', 'thread', getting((id) => `/ai-sdk/${ASSISTANT}/${id}/stream`)],
  ],
  'POST /ai-sdk/:assistantKey/:chatId/stop': [
    ['chatId', 'conversation', posting((id) => `/ai-sdk/${ASSISTANT}/${id}/stop`)],
    ['chatId that clients choose', 'thread', posting((id) => `/ai-sdk/${ASSISTANT}/${id}/stop`)],
  ],

  'GET /mcp': [],
  'DELETE /mcp': [],
  'POST /mcp': [
    ['document', 'document', reading((id) => `palabre://documents/${id}`)],
    ['part of a document', 'document', reading((id) => `palabre://documents/${id}/from/1`)],
    ['turnId to wait for', 'turn', calling('get_answer', (turnId) => ({ turnId, waitSeconds: 0 }))],
    ['turnId to cancel', 'turn', calling('cancel_answer', (turnId) => ({ turnId }))],
    [
      'questionId',
      'question',
      calling('answer_question', (questionId) => ({
        turnId: newId(),
        questionId,
        answer: { answer: 'Oui' },
      })),
    ],
    [
      'conversationId',
      'conversation',
      calling(`ask_${ASSISTANT}`, (conversationId) => ({ message: 'Et ?', conversationId })),
    ],
  ],
};

it('has a line for every route of every door', () => {
  expect(Object.keys(doors).toSorted()).toEqual([...routes].toSorted());
});

/** With nothing in it that depends on which id was asked for, or when. */
function shapeOf(answer: string, id: string): string {
  return answer
    .replaceAll(id, 'the id')
    .replaceAll(id.replaceAll('-', ''), 'the id')
    .replaceAll(/[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/g, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{10,13}\b/g, 'a time');
}

/** One of another member’s, or of another company’s. */
async function idOf(kind: Place[1], who: 0 | 1): Promise<string> {
  const objects = [colleague, stranger][who]!;
  // Whoever asks in a thread of that name has one of their own from then on.
  if (kind === 'conversation') return objects.make(kind);
  if (kind !== 'thread') return objects.any(kind);
  const id = newId();
  const messages = [said()];
  await send(makers[who]!, `/ag-ui/${ASSISTANT}`, { threadId: id, runId: newId(), messages });
  await send(makers[who]!, `/ai-sdk/${ASSISTANT}`, { id, messages });
  return id;
}

const places = Object.entries(doors).flatMap(([route, ids]) =>
  ids.map(([what, kind, ask]) => ({ route, what, kind, ask })),
);

it.each(places)('$route hides whose it is: $what', async ({ kind, ask }) => {
  const absentId = newId();
  const absent = shapeOf(await ask(ada, absentId), absentId);
  const foreign = await idOf(kind, 1);
  expect(shapeOf(await ask(ada, foreign), foreign)).toBe(absent);
  // Documents and assistants are the company's.
  if (kind === 'document' || kind === 'assistant') return;
  const other = await idOf(kind, 0);
  expect(shapeOf(await ask(ada, other), other)).toBe(absent);
});
