import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { identityOf } from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { daysAround, setQuota } from '../harness/usage-view.js';

const MEMBERS = `query ($first: Int, $after: String) { members(first: $first, after: $after) {
  edges { cursor node { id name email role createdAt } } pageInfo { hasNextPage endCursor } } }`;
const USED = `query ($from: LocalDate!, $to: LocalDate!, $groupBy: [UsageGroup!]!) {
  usage(from: $from, to: $to, groupBy: $groupBy) { memberId member { name } }
  quotas { subject memberId member { name role } } }`;
const ERASE = 'mutation ($id: ID!) { eraseMember(id: $id) }';
const ERASED = '00000000-0000-0000-0000-000000000000';

interface MemberView {
  id: string;
  name: string;
  email: string | null;
  role: string;
  createdAt: string;
}
interface Page {
  edges: { cursor: string; node: MemberView }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}
interface Used {
  usage: { memberId: string | null; member: { name: string } | null }[];
  quotas: { subject: string; memberId: string | null; member: { name: string; role: string } | null }[];
}

let app: TestApp;
let company: string;
let ada: TestClient;
let bea: TestClient;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company, sub: 'ada' });
  bea = await app.client({ company, sub: 'bea', role: 'MEMBER' });
  for (const client of [ada, bea]) await identityOf(client);
});

async function pageOf(client: TestClient, variables: object = {}): Promise<Page> {
  return (await client.get<{ members: Page }>(MEMBERS, variables)).members;
}
async function membersOf(client: TestClient, variables: object = {}): Promise<MemberView[]> {
  return (await pageOf(client, { first: 100, ...variables })).edges.map(({ node }) => node);
}
async function namesOf(client: TestClient, variables: object = {}): Promise<string[]> {
  return (await membersOf(client, variables)).map(({ name }) => name);
}

async function ask(client: TestClient): Promise<void> {
  const { turnId } = await client.ask('Salut');
  await client.allEvents(turnId);
}
function usedBy(client: TestClient): Promise<Used> {
  return client.get<Used>(USED, { ...daysAround(), groupBy: ['MEMBER'] });
}

describe('the members of a company', () => {
  it('are told to admins, the newest first, with the role that they last came with', async () => {
    const { id } = await identityOf(bea);
    const [newest, ...others] = await membersOf(ada);
    expect(newest).toMatchObject({ id, name: 'bea', role: 'MEMBER' });
    expect(Number.isNaN(Date.parse(newest?.createdAt ?? ''))).toBe(false);
    expect(others).toMatchObject([{ name: 'ada', role: 'ADMIN' }]);
    await identityOf(await app.client({ company, sub: 'bea', role: 'ADMIN' }));
    expect((await membersOf(ada))[0]).toMatchObject({ id, role: 'ADMIN' });
  });

  it('are told page by page, each once', async () => {
    for (const sub of ['cleo', 'dan', 'eve']) await identityOf(await app.client({ company, sub }));
    const first = await pageOf(ada, { first: 2 });
    const second = await pageOf(ada, { first: 10, after: first.pageInfo.endCursor });
    const names = [...first.edges, ...second.edges].map(({ node }) => node.name);
    expect(names).toEqual(['eve', 'dan', 'cleo', 'bea', 'ada']);
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(await ada.codes(MEMBERS, { first: 101 })).toEqual(['BAD_USER_INPUT']);
    expect(await ada.codes(MEMBERS, { after: 'nowhere' })).toEqual(['BAD_USER_INPUT']);
  });

  it('are nobody else’s to see', async () => {
    expect(await bea.codes(MEMBERS)).toEqual(['FORBIDDEN']);
    expect(await app.clientWith(null).codes(MEMBERS)).toEqual(['UNAUTHENTICATED']);
    const elsewhere = await app.company();
    for (const role of ['ADMIN', 'OPERATOR'] as const) {
      const stranger = await app.client({ company: elsewhere, sub: role, role });
      const after = (await pageOf(ada)).edges[0]?.cursor;
      expect(await namesOf(stranger)).not.toContain('bea');
      expect(await namesOf(stranger, { after })).not.toContain('ada');
    }
  });

  it('are not those who are erased, from that moment on', async () => {
    const { id } = await identityOf(bea);
    await ada.get(ERASE, { id });
    expect(await namesOf(ada)).toEqual(['ada']);
    expect(await ada.get('query ($id: ID!) { node(id: $id) { id } }', { id })).toEqual({ node: null });
  });
});

describe('what members use', () => {
  it('says who they are', async () => {
    const [{ id: adaId }, { id: beaId }] = [await identityOf(ada), await identityOf(bea)];
    await ask(ada);
    await ask(bea);
    await setQuota(ada, { subject: 'EACH_MEMBER', period: 'DAY', maxTokens: 1_000_000 });
    await setQuota(ada, { subject: 'MEMBER', memberId: beaId, period: 'DAY', maxTokens: 1_000_000 });
    const { usage, quotas } = await usedBy(ada);
    expect(usage).toHaveLength(2);
    expect(usage).toEqual(
      expect.arrayContaining([
        { memberId: adaId, member: { name: 'ada' } },
        { memberId: beaId, member: { name: 'bea' } },
      ]),
    );
    expect(quotas).toEqual([
      { subject: 'EACH_MEMBER', memberId: null, member: null },
      { subject: 'MEMBER', memberId: beaId, member: { name: 'bea', role: 'MEMBER' } },
    ]);
  });

  it('says nobody of those who are gone, and of all together', async () => {
    const { id } = await identityOf(bea);
    await ask(bea);
    await ada.get(ERASE, { id });
    const [row, ...others] = (await usedBy(ada)).usage;
    expect(others).toEqual([]);
    expect(row?.member).toBeNull();
    expect([id, ERASED]).toContain(row?.memberId);
    const all = await ada.get<Used>(USED, { ...daysAround(), groupBy: [] });
    expect(all.usage).toEqual([{ memberId: null, member: null }]);
  });
});
