import type { Client } from 'graphql-ws';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { SignIn } from '../../src/graphql/sign-in.service.js';
import { ScriptBook } from '../harness/script-book.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';

interface ApiKeyView {
  id: string;
  memberId: string;
  name: string;
  role: string;
  scopes: string[];
  createdBy: { name: string } | null;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

const FIELDS = 'id memberId name role scopes createdBy { name } expiresAt revokedAt lastUsedAt';
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { ${FIELDS} } } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(id: $id) { ${FIELDS} } }`;
const KEYS = `query ($first: Int, $after: String) {
  apiKeys(first: $first, after: $after) { edges { cursor node { ${FIELDS} } } pageInfo { hasNextPage } } }`;
const VIEWER = '{ viewer { id name role } }';
const AUDIT = '{ auditEntries(first: 50) { edges { node { action subject details } } } }';

const book = new ScriptBook();
let app: TestApp;
let company: string;
let admin: TestClient;
beforeAll(async () => {
  app = await shareApp(book.replyTo);
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());
beforeEach(async () => {
  company = await app.company();
  admin = await app.client({ company });
});

async function create(input: object = {}): Promise<{ secret: string; apiKey: ApiKeyView }> {
  const { createApiKey } = await admin.get<{ createApiKey: { secret: string; apiKey: ApiKeyView } }>(CREATE, {
    input: { name: 'CRM', ...input },
  });
  return createApiKey;
}
async function list(client = admin, page: object = {}) {
  const { apiKeys } = await client.get<{
    apiKeys: { edges: { cursor: string; node: ApiKeyView }[]; pageInfo: { hasNextPage: boolean } };
  }>(KEYS, page);
  return { ...apiKeys, nodes: apiKeys.edges.map(({ node }) => node) };
}

/** A socket that is open, and how it is closed. */
async function connect(client: TestClient): Promise<{ socket: Client; closed: Promise<unknown> }> {
  const connected = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  const on = { connected: () => connected.resolve(), closed: closed.resolve };
  const socket = client.socket({ lazy: false, on, onNonLazyError: () => undefined });
  await connected.promise;
  return { socket, closed: closed.promise };
}

it('signs a program in as a member of its own, over HTTP and WebSocket', async () => {
  const { secret, apiKey } = await create();
  expect(apiKey).toMatchObject({
    name: 'CRM',
    role: 'MEMBER',
    scopes: ['READ', 'TURNS', 'DOCUMENTS'],
    createdBy: { name: 'ada' },
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  const program = app.clientWith(secret);
  expect(await program.get(VIEWER)).toEqual({ viewer: { id: apiKey.memberId, name: 'CRM', role: 'MEMBER' } });
  const { turnId } = await program.ask(book.add([text('Fait.'), finish()]));
  expect((await program.allEvents(turnId)).at(-1)).toMatchObject({ status: 'COMPLETED' });
  // A member's conversations are nobody else's.
  expect(await admin.get('query ($id: ID!) { turn(id: $id) { id } }', { id: turnId })).toEqual({
    turn: null,
  });
  expect((await list()).nodes).toMatchObject([{ id: apiKey.id, lastUsedAt: expect.any(String) }]);
});

it('may do what its role may, and make no keys', async () => {
  const member = app.clientWith((await create()).secret);
  const own = app.clientWith((await create({ role: 'ADMIN' })).secret);
  expect(await member.codes(KEYS)).toEqual(['FORBIDDEN']);
  expect((await list(own)).nodes).toHaveLength(2);
  expect(await own.codes(CREATE, { input: { name: 'another' } })).toEqual(['FORBIDDEN']);
  expect(await own.codes(REVOKE, { id: (await list()).nodes[0]?.id })).toEqual(['FORBIDDEN']);
});

it('is for what it says, and deletes nothing unless it says ADMIN', async () => {
  const asking = app.clientWith((await create({ scopes: ['TURNS', 'READ', 'TURNS'] })).secret);
  expect(await asking.get('{ viewer { scopes } }')).toEqual({ viewer: { scopes: ['READ', 'TURNS'] } });
  expect(await admin.get('{ viewer { scopes } }')).toEqual({ viewer: { scopes: null } });
  const { conversationId: id } = await asking.ask(book.add([text('Fait.'), finish()]));
  const DELETE = 'mutation ($id: ID!) { deleteConversation(id: $id) }';
  expect((await asking.send(DELETE, { id })).errors).toMatchObject([
    {
      message: 'deleteConversation needs the scope ADMIN, which this API key does not have.',
      extensions: { code: 'FORBIDDEN', scopes: ['ADMIN'] },
    },
  ]);
  const UPLOAD = `mutation { createDocumentUpload(input: { name: "a.txt", mediaType: "text/plain", bytes: 1 }) { url } }`;
  expect(await asking.codes(UPLOAD)).toEqual(['FORBIDDEN']);
  const overSocket = await Array.fromAsync(asking.socket().iterate({ query: UPLOAD }));
  expect(overSocket).toMatchObject([
    { errors: [{ extensions: { code: 'FORBIDDEN', scopes: ['DOCUMENTS'] } }] },
  ]);
});

it('forgets who made it with them', async () => {
  const { apiKey } = await create();
  const other = await app.client({ company, sub: 'bea' });
  const { viewer } = await admin.get<{ viewer: { id: string } }>(VIEWER);
  await other.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: viewer.id });
  expect((await list(other)).nodes).toMatchObject([{ id: apiKey.id, createdBy: null }]);
});

it.each([
  ['no scope', { scopes: [] }],
  ['a name of blanks', { name: ' \u200b' }],
  ['a name that is too long', { name: 'n'.repeat(101) }],
  ['an operator', { role: 'OPERATOR' }],
  ['an end that is past', { expiresAt: '2020-01-01T00:00:00Z' }],
])('is not made for %s', async (_, input) => {
  expect(await admin.codes(CREATE, { input: { name: 'CRM', ...input } })).toEqual(['BAD_USER_INPUT']);
  expect((await list()).nodes).toEqual([]);
});

it('is good for nothing once it is revoked, on sockets that are open neither', async () => {
  const { secret, apiKey } = await create();
  const program = app.clientWith(secret);
  const { closed } = await connect(program);
  const revoked = await admin.get<{ revokeApiKey: ApiKeyView }>(REVOKE, { id: apiKey.id });
  expect(revoked.revokeApiKey.revokedAt).not.toBeNull();
  expect(await closed).toMatchObject({ code: 4403 });
  expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  expect(await admin.get(REVOKE, { id: apiKey.id })).toEqual(revoked);
  const { auditEntries } = await admin.get<{
    auditEntries: { edges: { node: { action: string; subject: string } }[] };
  }>(AUDIT);
  expect(auditEntries.edges.map(({ node: { action, subject } }) => [action, subject])).toEqual([
    ['api-key.revoked', apiKey.id],
    ['api-key.created', apiKey.id],
  ]);
  expect((await list()).nodes).toEqual([revoked.revokeApiKey]);
});

it.each<[what: string, endOf: (program: TestClient) => Promise<unknown>, end: object]>([
  [
    'socket',
    (program) =>
      new Promise((closed) => {
        program.socket({ lazy: false, on: { closed }, onNonLazyError: () => undefined });
      }),
    { code: 4403 },
  ],
  [
    'stream of events',
    async ({ url, token }) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'text/event-stream',
        },
        body: JSON.stringify({ query: 'subscription { notificationAdded { id } }' }),
      });
      return response.text().catch((error: unknown) => error);
    },
    { message: 'terminated' },
  ],
])('keeps no %s open when it is revoked after it was found to be good', async (_, endOf, end) => {
  const { secret, apiKey } = await create();
  const { viewerOf } = SignIn.prototype;
  vi.spyOn(SignIn.prototype, 'viewerOf').mockImplementationOnce(async function (
    this: SignIn,
    ...credentials
  ) {
    const viewer = await viewerOf.apply(this, credentials);
    await admin.get(REVOKE, { id: apiKey.id });
    return viewer;
  });
  expect(await endOf(app.clientWith(secret))).toMatchObject(end);
});

it('ends when it was to end, and with its member', async () => {
  const soon = await create({ expiresAt: new Date(Date.now() + 5_000).toISOString() });
  const short = app.clientWith(soon.secret);
  const { closed } = await connect(short);
  expect(await closed).toMatchObject({ code: 4403 });
  expect(await short.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);

  const other = await create();
  const erased = app.clientWith(other.secret);
  expect(await erased.codes(VIEWER)).toEqual([]);
  await admin.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: other.apiKey.memberId });
  expect(await erased.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
});

it.each([
  ['one that nobody made', (secret: string) => secret.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'))],
  ['another company’s', (secret: string) => `plb_${'A'.repeat(22)}${secret.slice(26)}`],
  ['half of one', (secret: string) => secret.slice(0, 30)],
])('is refused when it is %s', async (_, change) => {
  const { secret } = await create();
  expect(await app.clientWith(change(secret)).codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
});

it('is nothing to other companies', async () => {
  const { apiKey } = await create();
  const stranger = await app.client({ company: await app.company() });
  expect(await stranger.codes(REVOKE, { id: apiKey.id })).toEqual(['NOT_FOUND']);
  expect((await list(stranger)).nodes).toEqual([]);
  const NODE = 'query ($id: ID!) { node(id: $id) { id } }';
  expect(await stranger.get(NODE, { id: apiKey.id })).toEqual({ node: null });
  expect(await admin.get(NODE, { id: apiKey.id })).toEqual({ node: { id: apiKey.id } });
});

it('is kept nowhere', async () => {
  const { secret } = await create();
  await app.clientWith(secret).get(VIEWER);
  expect(await tablesHolding(app.database, secret)).toEqual([]);
  expect(await tablesHolding(app.database, secret.slice(26))).toEqual([]);
});

it('is listed page by page, the newest first', async () => {
  for (const name of ['one', 'two', 'three']) await create({ name });
  const first = await list(admin, { first: 2 });
  const second = await list(admin, { first: 2, after: first.edges.at(-1)?.cursor });
  expect([...first.nodes, ...second.nodes].map(({ name }) => name)).toEqual(['three', 'two', 'one']);
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
});
