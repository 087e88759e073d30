import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { prefixed } from '../../src/doors/openai/openai-ids.js';
import { callTool, mcpClient } from '../harness/mcp-client.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const book = new ScriptBook();
let app: TestApp;

beforeAll(async () => void (app = await shareApp(book.replyTo)));
afterAll(() => app[Symbol.asyncDispose]());

/** A turn as its asker names it, in one protocol or another. */
interface Named {
  turnId: string;
  conversationId: string;
}

/** What each door answers to somebody who wants a turn ended. */
async function refusalsOf(client: TestClient, { turnId, conversationId }: Named): Promise<JsonObject> {
  const post = async (path: string, body: object = {}): Promise<JsonObject> => {
    const response = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  const mcp = await mcpClient(client, '2026-07-28');
  const byMcp = await callTool(mcp, 'cancel_answer', { turnId });
  await mcp.close();
  const { errors } = await client.send('mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id: turnId });
  const refusals = {
    graphql: JSON.parse(JSON.stringify(errors)) as JsonObject,
    responses: await post(`/v1/responses/${prefixed('resp', turnId)}/cancel`),
    agUi: await post('/ag-ui/mefali/cancel', { threadId: conversationId }),
    agUiRun: await post('/ag-ui/mefali/cancel', { threadId: conversationId, runId: turnId }),
    aiSdk: await post(`/ai-sdk/mefali/${conversationId}/stop`),
    mcp: { isError: byMcp.isError, text: byMcp.text },
  };
  // An answer may repeat the ids that it was asked with.
  const ids = new RegExp([turnId, conversationId, prefixed('resp', turnId)].join('|'), 'g');
  return JSON.parse(JSON.stringify(refusals).replaceAll(ids, 'id')) as JsonObject;
}

it('is ended by nobody else, at no door, and answered as if it had never been', async () => {
  const company = await app.company();
  const asker = await app.client({ company, sub: 'bea', role: 'MEMBER' });
  const others = {
    colleague: await app.client({ company, sub: 'awa', role: 'MEMBER' }),
    admin: await app.client({ company, sub: 'ada' }),
    stranger: await app.client({ company: await app.company(), sub: 'bea' }),
  };
  const held = barrier();
  const question = book.add([text('Un'), held.step, text(' mot.'), finish()]);
  const turn = await asker.ask(question, { assistantKey: 'mefali' });
  await held.reached;
  for (const other of Object.values(others)) {
    const refusals = await refusalsOf(other, turn);
    expect(refusals).toMatchObject({
      graphql: [{ extensions: { code: 'NOT_FOUND' } }],
      responses: { status: 404 },
      agUi: { status: 404, body: { code: 'NOT_FOUND' } },
      agUiRun: { status: 404, body: { code: 'NOT_FOUND' } },
      aiSdk: { status: 404, body: { code: 'NOT_FOUND' } },
      mcp: { isError: true, text: expect.stringContaining('NOT_FOUND') },
    });
    const never = await refusalsOf(other, { turnId: newId(), conversationId: newId() });
    expect(refusals).toEqual(never);
  }
  expect((await turnOf(asker, turn.turnId)).status).toBe('RUNNING');
  held.open();
  const events = await asker.allEvents(turn.turnId);
  expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', finishReason: 'ANSWERED' });
});
