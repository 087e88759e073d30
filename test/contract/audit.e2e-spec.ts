import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { identityOf } from '../harness/notification-view.js';
import { REMOVE_PACK, skillMd, uploadPacks, zipOf } from '../harness/pack-uploads.js';
import { REGISTER_HTTP, SET_ACCESS, SET_ACTIVE } from '../harness/skill-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { setQuota } from '../harness/usage-view.js';

const SECRET = 'Bearer s3cret-of-the-service';
const PROFILE = 'get_company_profile';
const SALE = 'escrituras/compraventa';

const SET_APPROVAL = `mutation ($key: String!, $required: Boolean!, $asker: Boolean) {
  setSkillApproval(key: $key, required: $required, askerMayApprove: $asker) { key } }`;
const REMOVE_HTTP = 'mutation ($key: String!) { removeHttpSkill(key: $key) }';
const REGISTER_SERVER = `mutation ($input: RegisterMcpServerInput!) { registerMcpServer(input: $input) { id } }`;
const REMOVE_SERVER = 'mutation ($key: String!) { removeMcpServer(key: $key) }';

const LIST = `query ($first: Int, $after: String, $filter: AuditFilter) {
  auditEntries(first: $first, after: $after, filter: $filter) {
  edges { cursor node { id memberId memberName action subject details createdAt } }
  pageInfo { hasNextPage endCursor } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

interface Entry {
  id: string;
  memberId: string;
  memberName: string | null;
  action: string;
  subject: string;
  details: JsonObject;
  createdAt: string;
}
interface Page {
  edges: { cursor: string; node: Entry }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

let app: TestApp;
let company: string;
let ada: TestClient;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company });
});

async function pageOf(client: TestClient, variables: object = {}): Promise<Page> {
  return (await client.get<{ auditEntries: Page }>(LIST, variables)).auditEntries;
}
async function entriesOf(client: TestClient): Promise<Entry[]> {
  return (await pageOf(client, { first: 100 })).edges.map(({ node }) => node);
}
/** Oldest first: what was done to what, and what it is now. */
async function storyOf(client: TestClient): Promise<unknown[]> {
  return (await entriesOf(client))
    .toReversed()
    .map(({ action, subject, details }) => [action, subject, details]);
}

function setActive(active: boolean, client = ada): Promise<unknown> {
  return client.get(SET_ACTIVE, { key: PROFILE, active });
}

function httpSkill(over: JsonObject = {}): JsonObject {
  return {
    key: 'get_item',
    name: 'Item',
    description: 'Gets an item.',
    method: 'GET',
    url: 'https://stock.invalid/items/{id}',
    parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    secrets: [{ name: 'Authorization', value: SECRET }],
    ...over,
  };
}

describe('what admins do to skills', () => {
  it('is written down, each time: who, what, to what, when', async () => {
    await setActive(false);
    await setActive(true);
    await ada.get(SET_APPROVAL, { key: PROFILE, required: true, asker: true });
    await ada.get(SET_ACCESS, { key: PROFILE, leastRole: 'ADMIN', assistants: ['solven', 'mefali'] });
    await ada.get(SET_ACCESS, { key: PROFILE, leastRole: 'MEMBER', assistants: null });
    const narrow = { leastRole: 'ADMIN', assistants: ['mefali', 'solven'] };
    const wide = { leastRole: 'MEMBER', assistants: null };
    expect(await storyOf(ada)).toEqual([
      ['skill.deactivated', PROFILE, {}],
      ['skill.activated', PROFILE, {}],
      [
        'skill.approval-set',
        PROFILE,
        {
          requiresApproval: true,
          askerMayApprove: true,
          before: { requiresApproval: null, askerMayApprove: false },
        },
      ],
      ['skill.access-set', PROFILE, { ...narrow, before: wide }],
      ['skill.access-set', PROFILE, { ...wide, before: narrow }],
    ]);
    const { id: memberId } = await identityOf(ada);
    const entries = await entriesOf(ada);
    expect(entries.every((entry) => entry.memberId === memberId && entry.memberName === 'ada')).toBe(true);
    const times = entries.map(({ createdAt }) => Date.parse(createdAt));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(times.some(Number.isNaN)).toBe(false);
  });

  it('is written down once however often it is said, and not at all when it is refused', async () => {
    for (const active of [true, false, false]) await setActive(active);
    const again = { key: PROFILE, leastRole: 'MEMBER', assistants: null };
    await ada.get(SET_ACCESS, again);
    const bea = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    expect(await bea.codes(SET_ACTIVE, { key: PROFILE, active: true })).toEqual(['FORBIDDEN']);
    expect(await ada.codes(SET_ACTIVE, { key: 'nope', active: true })).toEqual(['NOT_FOUND']);
    expect(await ada.codes(REMOVE_PACK, { key: SALE })).toEqual(['NOT_FOUND']);
    const { errors } = await ada.send(SET_APPROVAL, { key: SALE, required: true });
    expect(errors).toMatchObject([
      {
        message: expect.stringContaining('cannot require approval'),
        extensions: { code: 'BAD_USER_INPUT', argument: 'required' },
      },
    ]);
    await ada.get(SET_APPROVAL, { key: SALE, required: false });
    expect(await ada.codes(REMOVE_HTTP, { key: PROFILE })).toEqual(['NOT_FOUND']);
    expect(await ada.codes(REGISTER_HTTP, { input: httpSkill({ key: PROFILE }) })).toEqual(['CONFLICT']);
    expect(await storyOf(ada)).toEqual([['skill.deactivated', PROFILE, {}]]);
  });

  it('is written down of skills that the company brings itself, without a secret', async () => {
    await ada.get(REGISTER_HTTP, { input: httpSkill() });
    await ada.get(REGISTER_HTTP, { input: httpSkill({ replace: true, name: 'Stock item' }) });
    await ada.get(REMOVE_HTTP, { key: 'get_item' });
    await uploadPacks(
      ada,
      await zipOf({ [`${SALE}/SKILL.md`]: skillMd('compraventa', 'La nuestra.', 'Así.') }),
    );
    await ada.get(REMOVE_PACK, { key: SALE });
    const url = 'https://mcp.invalid/mcp';
    const headers = [{ name: 'Authorization', value: SECRET }];
    await ada.get(REGISTER_SERVER, { input: { key: 'stock', url, headers } });
    await ada.get(REMOVE_SERVER, { key: 'stock' });
    const story = await storyOf(ada);
    expect(story.map((entry) => (entry as string[]).slice(0, 2))).toEqual([
      ['skill.registered', 'get_item'],
      ['skill.registered', 'get_item'],
      ['skill.removed', 'get_item'],
      ['skill.uploaded', SALE],
      ['skill.removed', SALE],
      ['mcp-server.registered', 'stock'],
      ['mcp-server.removed', 'stock'],
    ]);
    expect(JSON.stringify(story)).not.toContain('s3cret');
  });

  it('is written down of each pack of an archive, and of none that was not taken in', async () => {
    await uploadPacks(
      ada,
      await zipOf({
        'uno/SKILL.md': skillMd('uno', 'El primero.', 'Uno.'),
        'uno/references/a.md': 'a',
        'dos/SKILL.md': skillMd('dos', 'El segundo.', 'Dos.'),
        'rota/SKILL.md': 'Nada.',
        [`${PROFILE}/SKILL.md`]: skillMd(PROFILE, 'No.', 'No.'),
      }),
    );
    expect(await storyOf(ada)).toEqual([
      ['skill.uploaded', 'dos', { files: 0 }],
      ['skill.uploaded', 'uno', { files: 1 }],
    ]);
  });
});

it('says of a quota what it was before', async () => {
  const quota = { subject: 'COMPANY', period: 'DAY' };
  const none = { maxTokens: null, maxCostUsd: null };
  await setQuota(ada, { ...quota, maxTokens: 100 });
  await setQuota(ada, { ...quota, maxTokens: 200, maxCostUsd: 1.5 });
  await setQuota(ada, quota);
  expect(await storyOf(ada)).toEqual([
    ['quota.set', 'COMPANY/DAY', { maxTokens: '100', maxCostUsd: null, before: none }],
    [
      'quota.set',
      'COMPANY/DAY',
      { maxTokens: '200', maxCostUsd: 1.5, before: { ...none, maxTokens: '100' } },
    ],
    ['quota.set', 'COMPANY/DAY', { ...none, before: { maxTokens: '200', maxCostUsd: 1.5 } }],
  ]);
});

describe('the audit', () => {
  it('is read by pages, the newest first, each entry once', async () => {
    for (let times = 0; times < 5; times += 1) await setActive(times % 2 === 1);
    const all = await entriesOf(ada);
    expect(all).toHaveLength(5);
    const first = await pageOf(ada, { first: 2 });
    expect(first.pageInfo.hasNextPage).toBe(true);
    // What is added meanwhile is newer than all of it.
    await setActive(true);
    const second = await pageOf(ada, { first: 2, after: first.pageInfo.endCursor });
    const third = await pageOf(ada, { first: 2, after: second.pageInfo.endCursor });
    const pages = [first, second, third].map(({ edges }) => edges.map(({ node }) => node));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(all);
    expect(third.pageInfo.hasNextPage).toBe(false);
    expect(first.edges.at(-1)?.cursor).toBe(first.pageInfo.endCursor);
    expect(await ada.codes(LIST, { first: 101 })).toEqual(['BAD_USER_INPUT']);
    expect(await ada.codes(LIST, { after: 'nowhere' })).toEqual(['BAD_USER_INPUT']);
    const after = first.pageInfo.endCursor;
    for (const list of ['conversations', 'documents', 'files', 'memories', 'notifications']) {
      const other = `query ($after: String) { ${list}(after: $after) { pageInfo { endCursor } } }`;
      expect(await ada.codes(other, { after })).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('is filtered by what was changed, by whom and when, and read by pages as ever', async () => {
    const abel = await app.client({ company, sub: 'abel' });
    await setActive(false);
    await setQuota(ada, { subject: 'COMPANY', period: 'DAY', maxTokens: 100 });
    await setActive(true, abel);
    const all = await entriesOf(ada);
    const found = async (filter: object): Promise<string[]> =>
      (await pageOf(ada, { filter })).edges.map(({ node }) => node.action);
    expect(await found({})).toEqual(['skill.activated', 'quota.set', 'skill.deactivated']);
    expect(await found({ noun: 'skill' })).toEqual(['skill.activated', 'skill.deactivated']);
    expect(await found({ noun: 'ski' })).toEqual([]);
    expect(await found({ memberId: all[0]?.memberId })).toEqual(['skill.activated']);
    expect(await found({ noun: 'quota', memberId: all[0]?.memberId })).toEqual([]);
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    expect((await pageOf(bob, { filter: { memberId: all[0]?.memberId } })).edges).toEqual([]);
    const day = 86_400_000;
    const [yesterday, tomorrow] = [-day, day].map((later) => new Date(Date.now() + later).toISOString());
    expect(await found({ from: yesterday, to: tomorrow })).toHaveLength(3);
    expect(await found({ from: tomorrow })).toEqual([]);
    expect(await found({ to: yesterday })).toEqual([]);
    const first = await pageOf(ada, { filter: { noun: 'skill' }, first: 1 });
    const second = await pageOf(ada, {
      filter: { noun: 'skill' },
      first: 1,
      after: first.pageInfo.endCursor,
    });
    expect(second.edges.map(({ node }) => node.action)).toEqual(['skill.deactivated']);
    expect(second.pageInfo.hasNextPage).toBe(false);
    const bad = [
      { memberId: 'ada' },
      { from: '+020000-01-01T00:00:00.000Z' },
      { noun: 'x'.repeat(101) },
      { noun: 'skill\0' },
    ];
    for (const filter of bad) expect(await ada.codes(LIST, { filter })).toEqual(['BAD_USER_INPUT']);
  });

  it('is every admin’s to read, with the names of all, and no member’s', async () => {
    const abel = await app.client({ company, sub: 'abel' });
    const bea = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    await setActive(false);
    await setActive(true, abel);
    const entries = await entriesOf(abel);
    expect(entries.map(({ memberName }) => memberName)).toEqual(['abel', 'ada']);
    expect(await entriesOf(ada)).toEqual(entries);
    expect(await bea.codes(LIST)).toEqual(['FORBIDDEN']);
    expect(await app.clientWith(null).codes(LIST)).toEqual(['UNAUTHENTICATED']);
  });

  it('is found by an entry’s id by admins of the company, and by nobody else', async () => {
    await setActive(false);
    const [entry] = await entriesOf(ada);
    const id = entry?.id ?? '';
    const bea = await app.client({ company, sub: 'bea', role: 'MEMBER' });
    const bob = await app.client({ company: await app.company(), sub: 'bob' });
    const olga = await app.client({ company: await app.company(), sub: 'olga', role: 'OPERATOR' });
    expect(await ada.get(NODE, { id })).toEqual({ node: { __typename: 'AuditEntry', id } });
    for (const other of [bea, bob, olga]) {
      expect(await other.get(NODE, { id })).toEqual({ node: null });
    }
    for (const absent of [newId(), 'no-id', ''])
      expect(await ada.get(NODE, { id: absent })).toEqual({ node: null });
    expect(await entriesOf(bob)).toEqual([]);
    const { edges } = await pageOf(ada);
    expect((await pageOf(bob, { after: edges[0]?.cursor })).edges).toEqual([]);
  });
});
