import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { eventually } from '../harness/eventually.js';
import { lastOf } from '../harness/provider-request.js';
import { barrier } from '../harness/script-book.js';
import { announce, hereOf, processed, sendBytes, upload } from '../harness/document-view.js';
import { identityOf } from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const DEACTIVATE = 'mutation ($id: ID!) { deactivateMember(id: $id) { id name deactivatedAt } }';
const REACTIVATE = 'mutation ($id: ID!) { reactivateMember(id: $id) { id deactivatedAt } }';
const VIEWER = '{ viewer { id } }';
const AUDIT = '{ auditEntries(first: 50) { edges { node { action subject details } } } }';
const KEYS = '{ apiKeys { edges { node { id pausedAt } } } }';
const REVOKE = 'mutation ($id: ID!) { revokeApiKey(id: $id) { id } }';
const CREATE_KEY =
  'mutation ($role: Role!) { createApiKey(input: { name: "CRM", role: $role, scopes: [READ, TURNS, DOCUMENTS, ADMIN] }) { secret apiKey { id memberId } } }';

interface CreatedKey {
  secret: string;
  apiKey: { id: string; memberId: string };
}

const bonjour: ProviderReply = [text('Bonjour.'), finish()];

let app: TestApp;
let reply: (body: JsonObject) => ProviderReply;
let company: string;
let ada: TestClient;
let bea: TestClient;
let beaId: string;

beforeAll(async () => {
  app = await shareApp((body) => reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  reply = () => bonjour;
  company = await app.company();
  ada = await app.client({ company, sub: 'ada' });
  bea = await app.client({ company, sub: 'bea' });
  await identityOf(ada);
  ({ id: beaId } = await identityOf(bea));
});

function deactivate(id = beaId, by = ada) {
  return by.get<{ deactivateMember: { deactivatedAt: string | null } }>(DEACTIVATE, { id });
}
async function createKey(by: TestClient, role = 'MEMBER'): Promise<CreatedKey> {
  return (await by.get<{ createApiKey: CreatedKey }>(CREATE_KEY, { role })).createApiKey;
}
async function pausedOf(): Promise<(string | null)[]> {
  return (
    await ada.get<{ apiKeys: { edges: { node: { pausedAt: string | null } }[] } }>(KEYS)
  ).apiKeys.edges.map(({ node }) => node.pausedAt);
}

/** Opens a socket, and tells how it is closed. */
async function connect(client: TestClient): Promise<Promise<unknown>[]> {
  const connected = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<unknown>();
  const on = { connected: () => connected.resolve(), closed: closed.resolve };
  client.socket({ lazy: false, on, onNonLazyError: () => undefined });
  await connected.promise;
  return [closed.promise];
}

describe('a deactivated member', () => {
  it('is nobody, whatever token they come with, until they are reactivated', async () => {
    const [closed] = await connect(bea);
    const deactivated = await deactivate();
    expect(deactivated.deactivateMember.deactivatedAt).not.toBeNull();
    expect(await closed).toMatchObject({ code: 4403 });
    const renamed = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    for (const client of [bea, renamed]) {
      expect((await client.send(VIEWER)).errors).toMatchObject([
        { message: expect.stringContaining('deactivated'), extensions: { code: 'UNAUTHENTICATED' } },
      ]);
    }
    // Twice does no harm.
    expect(await deactivate()).toEqual(deactivated);
    await ada.get(REACTIVATE, { id: beaId });
    await ada.get(REACTIVATE, { id: beaId });
    expect(await bea.get(VIEWER)).toEqual({ viewer: { id: beaId } });
    const { auditEntries } = await ada.get<{ auditEntries: { edges: { node: object }[] } }>(AUDIT);
    expect(auditEntries.edges.map(({ node }) => node)).toEqual([
      { action: 'member.reactivated', subject: beaId, details: { apiKeysResumed: 0 } },
      { action: 'member.deactivated', subject: beaId, details: { apiKeysPaused: 0 } },
    ]);
  });

  it('takes the keys along that they made', async () => {
    const theirs = await createKey(bea);
    const others = await createKey(ada);
    const program = app.clientWith(theirs.secret);
    const [closed] = await connect(program);
    await deactivate();
    expect(await closed).toMatchObject({ code: 4403 });
    expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    expect(await app.clientWith(others.secret).codes(VIEWER)).toEqual([]);
    expect((await pausedOf()).filter((pausedAt) => pausedAt !== null)).toHaveLength(1);
    // Each is enough to keep it paused.
    await deactivate(theirs.apiKey.memberId);
    await ada.get(REACTIVATE, { id: beaId });
    expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    await ada.get(REACTIVATE, { id: theirs.apiKey.memberId });
    expect(await program.codes(VIEWER)).toEqual([]);
    expect(await pausedOf()).toEqual([null, null]);
  });

  it('is not needed for it: keys end with the erasure of whoever made them', async () => {
    const { secret, apiKey } = await createKey(bea);
    const program = app.clientWith(secret);
    const [closed] = await connect(program);
    await ada.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: beaId });
    expect(await closed).toMatchObject({ code: 4403 });
    expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    // Nor does reactivating the program give it back.
    await deactivate(apiKey.memberId);
    await ada.get(REACTIVATE, { id: apiKey.memberId });
    expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  });

  it('leaves keys paused that nobody can resume any more', async () => {
    const program = app.clientWith((await createKey(bea)).secret);
    await deactivate();
    await ada.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: beaId });
    expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
    expect(await ada.codes(REACTIVATE, { id: beaId })).toEqual(['NOT_FOUND']);
  });
});

describe('a turn that waits in line', () => {
  const sql = (text: string, ...values: string[]): Promise<{ status: string }[]> =>
    app.database.dataSource.query(text, values);

  const program = async (): Promise<TestClient> => app.clientWith((await createKey(bea)).secret);
  const revokeAll = async (): Promise<void> => {
    const { apiKeys } = await ada.get<{ apiKeys: { edges: { node: { id: string } }[] } }>(KEYS);
    for (const { node } of apiKeys.edges) await ada.get(REVOKE, node);
  };

  it.each<[string, () => Promise<TestClient>, () => Promise<unknown>]>([
    ['is deactivated', async () => bea, () => deactivate()],
    ['has a key of a maker who is', program, () => deactivate()],
    // Their data goes with a job, which may have to wait.
    [
      'is being erased',
      async () => bea,
      () => sql(`UPDATE member SET subject = 'erased ' || id WHERE id = $1`, beaId),
    ],
    ['has a key that is revoked', program, revokeAll],
    [
      'is of a company that is being erased',
      async () => bea,
      () => sql(`UPDATE company SET slug = 'erased ' || id WHERE slug = $1`, company),
    ],
  ])('is not begun once whoever asks %s', async (_, asking, end) => {
    const asker = await asking();
    const { step, reached, open } = barrier();
    const asked: string[] = [];
    reply = (body) => {
      asked.push(lastOf(body).content);
      return asked.length === 1 ? [step, ...bonjour] : bonjour;
    };
    const first = await asker.ask('La première');
    await reached;
    const waiting = await asker.ask('La seconde', { conversationId: first.conversationId });
    await end();
    open();
    const statusOf = async (id: string): Promise<string | undefined> =>
      (await sql('SELECT status FROM turn WHERE id = $1', id))[0]?.status;
    await eventually(
      () => statusOf(waiting.turnId),
      (status) => status === 'CANCELLED' || status === 'COMPLETED',
    );
    expect(await Promise.all([first, waiting].map(({ turnId }) => statusOf(turnId)))).toEqual([
      'COMPLETED',
      'CANCELLED',
    ]);
    expect(asked).toEqual([expect.stringContaining('La première')]);
  });
});

describe('nobody is locked out for good', () => {
  it('by themselves', async () => {
    const { id } = await identityOf(ada);
    expect(await ada.codes(DEACTIVATE, { id })).toEqual(['CONFLICT']);
    expect(await ada.codes(VIEWER)).toEqual([]);
  });

  it('by a program that deactivates the last admin who is a person', async () => {
    const program = app.clientWith((await createKey(ada, 'ADMIN')).secret);
    const { id } = await identityOf(ada);
    await deactivate(beaId, program);
    expect(await program.codes(DEACTIVATE, { id })).toEqual(['CONFLICT']);
  });

  it('by two admins who deactivate each other at once', async () => {
    const { id: adaId } = await identityOf(ada);
    await Promise.all([ada.send(DEACTIVATE, { id: beaId }), bea.send(DEACTIVATE, { id: adaId })]);
    const codes = await Promise.all([ada.codes(VIEWER), bea.codes(VIEWER)]);
    expect(codes.toSorted()).toEqual([[], ['UNAUTHENTICATED']]);
  });
});

describe('a link that was given to somebody', () => {
  const statusOf = async (url: string): Promise<number> => (await fetch(hereOf(ada, url))).status;
  const linkFor = async (client: TestClient, id: string): Promise<string> =>
    (
      await client.get<{ document: { url: string } }>('query ($id: ID!) { document(id: $id) { url } }', {
        id,
      })
    ).document.url;

  it.each<[string, (key: CreatedKey) => Promise<unknown>]>([
    ['is deactivated', ({ apiKey }) => deactivate(apiKey.memberId)],
    ['is revoked', ({ apiKey: { id } }) => ada.get(REVOKE, { id })],
    [
      'is erased',
      ({ apiKey }) => ada.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: apiKey.memberId }),
    ],
  ])('leads nowhere once the program %s', async (_, end) => {
    const key = await createKey(ada);
    const program = app.clientWith(key.secret);
    const id = await upload(ada, 'notes.txt', 'Le verger est à Dakar.');
    await processed(ada, id);
    const [theirs, others] = [await linkFor(program, id), await linkFor(ada, id)];
    const ticket = await announce(program, { bytes: 4 });
    expect(await statusOf(theirs)).toBe(200);
    await end(key);
    expect(await statusOf(theirs)).toBe(404);
    expect(await statusOf(others)).toBe(200);
    expect(await sendBytes(program, ticket, 'Thé.')).toMatchObject({
      status: 404,
      body: { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    });
  });
});
