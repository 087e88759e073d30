import { strFromU8, unzipSync } from 'fflate';

import { newId } from '../../src/common/ids.js';
import {
  DELETE_DOCUMENT,
  findDocument,
  hereOf,
  processed,
  progressOf,
  searchDocuments,
  upload,
} from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { identityOf } from '../harness/notification-view.js';
import { gate, parseBy } from '../harness/scripted-parsing.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const TEXT = 'Le karité de Kolda est mûr en juillet.';
const AUDIT = '{ auditEntries(first: 10) { edges { node { action subject details } } } }';

let app: TestApp;
let company: string;
let companyId: string;
let ada: TestClient;
let awa: TestClient;

beforeAll(async () => {
  app = await shareApp([]);
});
afterAll(() => app[Symbol.asyncDispose]());

beforeEach(async () => {
  parseBy();
  company = await app.company();
  ada = await app.client({ company });
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ({ companyId } = await identityOf(ada));
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function uploadText(client: TestClient, name: string, text = TEXT): Promise<string> {
  const id = await upload(client, name, text);
  await processed(client, id);
  return id;
}

function remove(client: TestClient, id: string): Promise<unknown> {
  return client.get(DELETE_DOCUMENT, { id });
}

/** Whatever is kept of documents and of what is found of them. */
function remains(): Promise<{ what: string }[]> {
  return app.database.transaction(companyId, (tx) =>
    tx.query(
      `SELECT 'document' AS what FROM document UNION ALL SELECT 'content' FROM document_content
       UNION ALL SELECT 'passage' FROM passage
       UNION ALL SELECT 'search item' FROM search_item WHERE group_id IS NOT NULL`,
    ),
  );
}

function keys(): string[] {
  return app.storage.keys.filter((key) => key.startsWith(`documents/${companyId}/`));
}

function untilNoBytes(): Promise<unknown> {
  return eventually(
    async () => keys(),
    (left) => left.length === 0,
  );
}

describe('a document', () => {
  it('goes with all that was made of it', async () => {
    const id = await uploadText(awa, 'a.txt');
    expect(await searchDocuments(awa, 'karité')).toHaveLength(1);
    expect(await remove(awa, id)).toEqual({ deleteDocument: id });
    expect(await findDocument(awa, id)).toBeNull();
    expect(await searchDocuments(awa, 'karité')).toEqual([]);
    expect(await remains()).toEqual([]);
    await untilNoBytes();
    expect(await awa.codes(DELETE_DOCUMENT, { id })).toEqual(['NOT_FOUND']);
  });

  it('is deleted by whoever uploaded it and by admins, and by nobody else', async () => {
    const id = await uploadText(ada, 'a.txt');
    expect(await awa.codes(DELETE_DOCUMENT, { id })).toEqual(['FORBIDDEN']);
    expect(await findDocument(ada, id)).toMatchObject({ status: 'COMPLETED' });
    const own = await uploadText(awa, 'b.txt', 'Le sésame de Kaffrine.');
    await remove(ada, own);
    await remove(ada, id);
    const entries = await ada.get<{
      auditEntries: { edges: { node: { action: string; subject: string; details: object } }[] };
    }>(AUDIT);
    expect(entries.auditEntries.edges.map(({ node }) => node)).toEqual(
      expect.arrayContaining([
        { action: 'document.deleted', subject: id, details: { name: 'a.txt' } },
        { action: 'document.deleted', subject: own, details: { name: 'b.txt' } },
      ]),
    );
  });

  it.each([newId(), 'nonsense'])('that is not there cannot be deleted: %s', async (id) => {
    expect(await ada.codes(DELETE_DOCUMENT, { id })).toEqual(['NOT_FOUND']);
  });

  it('leaves what others share with it, and the last one takes it along', async () => {
    const first = await uploadText(ada, 'a.txt');
    const second = await uploadText(awa, 'b.txt');
    await remove(ada, first);
    expect(await findDocument(awa, second)).toMatchObject({ status: 'COMPLETED' });
    expect((await searchDocuments(awa, 'karité')).map(({ document }) => document.id)).toEqual([second]);
    await eventually(
      async () => keys(),
      (left) => left.length === 1,
    );
    await remove(awa, second);
    expect(await remains()).toEqual([]);
    await untilNoBytes();
  });

  it('that is deleted and uploaded again is as new', async () => {
    await remove(ada, await uploadText(ada, 'a.txt'));
    await uploadText(ada, 'a.txt');
    expect(await searchDocuments(ada, 'karité')).toHaveLength(1);
  });

  it('ends for those who follow it', async () => {
    const reading = gate();
    parseBy(async function* () {
      await reading.wait();
      yield* [];
      return undefined;
    });
    const id = await upload(ada, 'a.txt', TEXT);
    const progress = progressOf(ada, id);
    await progress.next();
    await reading.reached;
    await remove(ada, id);
    const rest = await Array.fromAsync(progress);
    expect(rest.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED')).toEqual([]);
    reading.open();
  });

  it('leaves nothing when it is deleted while it is read', async () => {
    const [reading, over] = [gate(), Promise.withResolvers<void>()];
    parseBy(async function* () {
      try {
        yield { number: 1, markdown: `${TEXT} `.repeat(8_000) };
        await reading.wait();
        yield { number: 2, markdown: `${TEXT} `.repeat(8_000) };
        return undefined;
      } finally {
        over.resolve();
      }
    });
    const id = await upload(ada, 'a.txt', TEXT);
    await reading.reached;
    expect(await remains()).not.toEqual([]);
    await remove(ada, id);
    reading.open();
    // What it writes next is refused, and so it stops.
    await over.promise;
    await eventually(remains, (left) => left.length === 0);
    await untilNoBytes();
    expect(await searchDocuments(ada, 'karité')).toEqual([]);
  });

  it('is deleted and uploaded by several at once without harm', async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await uploadText(ada, 'a.txt');
      const [, again] = await Promise.all([remove(ada, id), upload(awa, 'b.txt', TEXT)]);
      expect(await processed(awa, again)).toMatchObject({ status: 'COMPLETED' });
      expect((await searchDocuments(awa, 'karité')).map(({ document }) => document.id)).toEqual([again]);
      await remove(awa, again);
      expect(await remains()).toEqual([]);
    }
    await untilNoBytes();
  });
});

it('an export lists what a member has uploaded, and nothing of others', async () => {
  await uploadText(ada, 'a.txt');
  const id = await uploadText(awa, 'b.txt', 'Le sésame de Kaffrine.');
  const { exportMyData } = await awa.get<{ exportMyData: { url: string } }>(
    'mutation { exportMyData { url } }',
  );
  const response = await fetch(hereOf(awa, exportMyData.url));
  const lines = unzipSync(new Uint8Array(await response.arrayBuffer()))['documents.ndjson']!;
  expect(
    strFromU8(lines)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([expect.objectContaining({ id, name: 'b.txt', status: 'COMPLETED', bytes: 23 })]);
});

describe('a member who is erased', () => {
  it('leaves the company its documents, and is not to be told by them', async () => {
    const id = await uploadText(awa, 'a.txt');
    const { id: memberId } = await identityOf(awa);
    await ada.get('mutation ($id: ID!) { eraseMember(id: $id) }', { id: memberId });
    const owners = await eventually(
      () =>
        app.database.transaction(companyId, (tx) =>
          tx.query<{ memberId: string }>('SELECT member_id AS "memberId" FROM document'),
        ),
      ([owner]) => owner?.memberId !== memberId,
    );
    expect(owners).toEqual([{ memberId: '00000000-0000-0000-0000-000000000000' }]);
    expect(await findDocument(ada, id)).toMatchObject({ status: 'COMPLETED' });
    expect(await searchDocuments(ada, 'karité')).toHaveLength(1);
  });
});
