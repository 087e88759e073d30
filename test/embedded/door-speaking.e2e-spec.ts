import OpenAI from 'openai';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { barrier, ScriptBook } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const book = new ScriptBook();
let app: TestApp;
let admin: TestClient;
let bea: TestClient;
beforeAll(async () => {
  app = await shareApp(book.replyTo);
  admin = await app.client();
  bea = await app.client({ sub: 'bea', role: 'MEMBER' });
  await bea.get('{ viewer { id } }');
});
afterAll(() => app[Symbol.asyncDispose]());

interface Key {
  secret: string;
  apiKey: { id: string; memberId: string };
}

async function keyWith(scopes: string[], role = 'MEMBER'): Promise<Key> {
  const create = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) {
    secret apiKey { id memberId } } }`;
  const { createApiKey } = await admin.get<{ createApiKey: Key }>(create, {
    input: { name: 'UI', scopes, role },
  });
  return createApiKey;
}

async function say(key: string, name: string, header = 'X-Palabre-User'): Promise<string> {
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 });
  const question = book.add([text('Oui.'), finish()]);
  await openai.chat.completions.create(
    { model: 'mefali', messages: [{ role: 'user', content: question }] },
    { headers: { [header]: name } },
  );
  return question;
}

async function questionsOf(client: TestClient): Promise<string[]> {
  const { conversations } = await client.get<{
    conversations: { edges: { node: { messages: { edges: { node: { text: string } }[] } } }[] };
  }>('{ conversations(first: 50) { edges { node { messages(first: 1) { edges { node { text } } } } } } }');
  return conversations.edges.flatMap(({ node }) => node.messages.edges.map((edge) => edge.node.text));
}

it('asks for the member whom a key that may speak for others names, and is audited', async () => {
  const { secret, apiKey } = await keyWith(['TURNS', 'SPEAK_FOR_OTHERS']);
  const question = await say(secret, 'bea');
  expect(await questionsOf(bea)).toContain(question);
  // The placeholder of a front end that has no user.
  expect(await questionsOf(bea)).not.toContain(await say(secret, '{{LIBRECHAT_USER_EMAIL}}'));
  await say(secret, 'bea');
  const { auditEntries } = await admin.get<{
    auditEntries: { edges: { node: { action: string; subject: string; memberId: string } }[] };
  }>('{ auditEntries(first: 20) { edges { node { action subject memberId } } } }');
  const { viewer } = await bea.get<{ viewer: { id: string } }>('{ viewer { id } }');
  const spoken = auditEntries.edges.filter(({ node }) => node.action === 'api-key.spoke-for');
  expect(spoken.map(({ node }) => node)).toMatchObject([{ subject: viewer.id, memberId: apiKey.memberId }]);
});

it('finds a member by their address, whatever its case', async () => {
  const { secret } = await keyWith(['TURNS', 'SPEAK_FOR_OTHERS']);
  const { viewer } = await bea.get<{ viewer: { email: string | null } }>('{ viewer { email } }');
  expect(viewer.email).toBeNull();
  const cleo = await app.client({ sub: 'cleo', role: 'MEMBER', email: 'Cleo@example.org' });
  const other = await app.client({ sub: 'dora', role: 'MEMBER', email: 'two@example.org' });
  const twin = await app.client({ sub: 'dora2', role: 'MEMBER', email: 'two@example.org' });
  for (const client of [cleo, other, twin]) await client.get('{ viewer { id } }');
  const question = await say(secret, 'cleo@EXAMPLE.org', 'X-OpenWebUI-User-Email');
  expect(await questionsOf(cleo)).toContain(question);
  await expect(say(secret, 'two@example.org')).rejects.toMatchObject({ status: 403 });
});

it('ignores whom any other key names, and whoever has signed in', async () => {
  const { secret } = await keyWith(['READ', 'TURNS', 'DOCUMENTS', 'SKILLS', 'ADMIN'], 'ADMIN');
  const asked = [await say(secret, 'bea'), await say(admin.token ?? '', 'bea')];
  const hers = await questionsOf(bea);
  expect(asked.filter((question) => hers.includes(question))).toEqual([]);
});

it('speaks for nobody else: strangers, programs, other companies, and those who were deactivated', async () => {
  const { secret, apiKey } = await keyWith(['TURNS', 'SPEAK_FOR_OTHERS']);
  const elsewhere = await app.client({ company: await app.company(), sub: 'elsewhere' });
  await elsewhere.get('{ viewer { id } }');
  const gone = await app.client({ sub: 'gone', role: 'MEMBER' });
  const { viewer } = await gone.get<{ viewer: { id: string } }>('{ viewer { id } }');
  await say(secret, 'gone');
  await admin.get('mutation ($id: ID!) { deactivateMember(id: $id) { id } }', { id: viewer.id });
  for (const name of ['nobody', 'elsewhere', 'gone', `api-key ${apiKey.id}`]) {
    await expect(say(secret, name)).rejects.toMatchObject({ status: 403, code: 'permission_denied' });
  }
});

it('lends no more than the key has, by GraphQL nothing at all', async () => {
  const { secret } = await keyWith(['TURNS', 'SPEAK_FOR_OTHERS']);
  const ask = (path: string) =>
    fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${secret}`, 'x-palabre-user': 'ada' } });
  expect((await ask('/v1/models')).status).toBe(200);
  const only = await keyWith(['SPEAK_FOR_OTHERS']);
  await expect(say(only.secret, 'ada')).rejects.toMatchObject({ status: 403 });
  const answer = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${secret}`,
      'x-palabre-user': 'ada',
    },
    body: JSON.stringify({ query: '{ viewer { name role } }' }),
  });
  expect(await answer.json()).toMatchObject({ data: { viewer: { name: 'UI', role: 'MEMBER' } } });
});

it('ends the stream of whom it speaks for with the key', async () => {
  const { secret, apiKey } = await keyWith(['TURNS', 'SPEAK_FOR_OTHERS']);
  const waits = barrier();
  const openai = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: secret, maxRetries: 0 });
  const question = book.add([text('Un'), waits.step, finish()]);
  const stream = await openai.chat.completions.create(
    { model: 'mefali', messages: [{ role: 'user', content: question }], stream: true },
    { headers: { 'X-Palabre-User': 'bea' } },
  );
  await waits.reached;
  await admin.get('mutation ($id: ID!) { deleteApiKey(id: $id) }', { id: apiKey.id });
  await expect(Array.fromAsync(stream)).rejects.toThrow();
  waits.open();
  await expect(say(secret, 'bea')).rejects.toMatchObject({ status: 401 });
});
