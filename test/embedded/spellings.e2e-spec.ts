import { newId } from '../../src/common/ids.js';
import type { SearchScope } from '../../src/documents/search-index/search.js';
import { asOnePage } from '../../src/documents/processing/scripted-document-parser.double.js';
import { processed, searchDocuments, upload } from '../harness/document-view.js';
import { contextOf, toldIn } from '../harness/memory-context-view.js';
import { remember } from '../harness/memory-view.js';
import { parseBy } from '../harness/scripted-parsing.js';
import { SearchWorld } from '../harness/search-world.js';
import { shareApp, startOfflineApp, type TestApp } from '../harness/start-app.js';
import { answerOf, type TestClient } from '../harness/test-client.js';

const TRADITIONAL =
  '臺中分公司的電話是四二二八。報價單由業務經理簽署，會議記錄由總經理保存。統一編號印在發票上，頭髮不得散落在麵包裏。';
const SIMPLIFIED = '台北分公司的电话是四二二八。报价单由业务经理签署，会议记录由总经理保存。';
const FIGURES =
  'The score was 1,234.5 and the price NT$1,234,567 under ISO 14001 for AB-12345678. The old code was XK7781.';

async function add(client: TestClient, name: string, text: string): Promise<void> {
  expect((await processed(client, await upload(client, name, text))).status).toBe('COMPLETED');
}

describe('searchDocuments', () => {
  let app: TestApp;
  const clientWith = async (text: string): Promise<TestClient> => {
    const client = await app.client({ company: await app.company() });
    await add(client, 'a.md', text);
    await add(client, 'b.md', 'The depot opens at seven.\n\n倉庫每天早上開門。');
    return client;
  };

  beforeAll(async () => {
    app = await shareApp([]);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(() => {
    parseBy(asOnePage);
  });
  afterEach(() => void vi.restoreAllMocks());

  it('finds what is written in traditional characters by simplified ones, and by other variants', async () => {
    const client = await clientWith(TRADITIONAL);
    const asked = [
      '台中',
      '电话',
      '报价单',
      '会议记录',
      '统一编号',
      '总经理',
      '报价单谁签署？',
      '头发',
      '面包裡',
    ];
    for (const query of asked) {
      const found = await searchDocuments(client, query);
      expect([query, found.map(({ document }) => document.name)]).toEqual([query, ['a.md']]);
    }
    expect(await searchDocuments(client, '珍珠奶茶')).toEqual([]);
  });

  it('finds what is written in simplified characters by traditional ones', async () => {
    const client = await clientWith(SIMPLIFIED);
    for (const query of ['臺北', '電話', '報價單誰簽署？', '總經理']) {
      const found = await searchDocuments(client, query);
      expect([query, found.map(({ document }) => document.name)]).toEqual([query, ['a.md']]);
    }
  });

  it('finds figures and codes however they are divided', async () => {
    const client = await clientWith(FIGURES);
    const asked = ['1234.5', '1234567', 'NT$1.234.567', '1 234 567', 'ISO14001', 'AB12345678', 'XK 7781'];
    for (const query of asked) {
      const found = await searchDocuments(client, query);
      expect([query, found.map(({ document }) => document.name)]).toEqual([query, ['a.md']]);
    }
    for (const query of ['1234568', 'ISO45001', 'AB87654321']) {
      expect([query, await searchDocuments(client, query)]).toEqual([query, []]);
    }
  });
});

it('memories and earlier conversations are told to a question in the other way of writing', async () => {
  await using app = await shareApp([]);
  const client = await app.client({ sub: newId() });
  await remember(client, { kind: 'FACT', subject: '總經理', content: '辦公室在臺北，分機是４４２８' });
  const messages = [
    { role: 'USER', author: '張偉', text: '會議記錄由業務經理保存。', createdAt: '2023-05-08T09:00:00Z' },
  ];
  await client.get(
    'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
    {
      input: { assistantKey: 'therese', messages },
    },
  );
  expect(toldIn(await contextOf(client, '总经理在台北吗？'))).toMatchObject({ FACT: ['總經理'] });
  expect(toldIn(await contextOf(client, '张伟的会议记录呢？'))).toMatchObject({
    CONVERSATION: [expect.stringContaining('會議記錄')],
  });
});

it('the offline model answers a simplified question from a traditional document', async () => {
  await using app = await startOfflineApp();
  const client = await app.client({ company: await app.company() });
  await add(client, 'a.md', TRADITIONAL);
  const { turnId } = await client.ask('报价单谁签署？', { assistantKey: 'bibliotheque' });
  expect(answerOf(await client.allEvents(turnId))).toContain('業務經理簽署');
});

describe('any search', () => {
  let world: SearchWorld;
  beforeAll(async () => {
    world = await SearchWorld.start();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const [first, second, third] = [newId(), newId(), newId()];
  const texts = {
    [first]: '臺北的會議記錄與報價單',
    [second]: '高雄的會議室，臺北的電話',
    [third]: 'NT$1,234,567 under ISO 14001',
  };
  const pairs: [other: string, own: string][] = [
    ['会议记录', '會議記錄'],
    ['报价单与电话', '報價單與電話'],
    ['台北', '臺北'],
  ];

  it('scores one spelling as the other, before the lists are made and after', async () => {
    const scope: SearchScope = { collection: 'MESSAGE', ownerId: await world.member() };
    const request = { scopes: [scope], limit: 10 };
    await world.put(scope, texts);
    const search = async (query: string) =>
      (await world.search(query, request)).hits.map(({ id, lexicalScore }) => [id, lexicalScore.toFixed(6)]);
    for (const isListed of [false, true]) {
      if (isListed) await world.compact(scope);
      for (const [other, own] of pairs) {
        const found = await search(other);
        expect(found).not.toHaveLength(0);
        expect(found).toEqual(await search(own));
      }
      for (const query of ['1234567', 'ISO14001']) {
        expect((await search(query)).map(([id]) => id)).toEqual([third]);
      }
    }
  });
});
