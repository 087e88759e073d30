import { loadMigrations } from '../../src/platform/database/migrate.js';
import { PendingUploads, UPLOAD_DEADLINE_MS } from '../../src/documents/upload/pending-uploads.service.js';
import {
  announce,
  CREATE_UPLOAD,
  DELETE_DOCUMENT,
  type DocumentUploadAnswer,
  processed,
  sendBytes,
  upload,
} from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { FilesApp, type Person } from '../harness/files-app.js';
import { parseBy } from '../harness/scripted-parsing.js';
import type { TestClient } from '../harness/test-client.js';

const LIMITS = {
  MAX_DOCUMENTS_PER_MEMBER: '4',
  MAX_DOCUMENTS_PER_COMPANY: '6',
  MAX_DOCUMENT_BYTES_PER_MEMBER: '1000',
  MAX_DOCUMENT_BYTES_PER_COMPANY: '1500',
};
const STORAGE = `query ($memberId: ID) { documentStorage(memberId: $memberId) { documents bytes maxDocuments maxBytes } }`;
const ERASE = 'mutation ($id: ID!) { eraseMember(id: $id) }';

let app: FilesApp;
let company: string;
let ada: Person;
let bea: Person;

beforeAll(async () => {
  app = await FilesApp.start(LIMITS);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  parseBy();
  company = await app.company();
  ada = await app.person('ada', company);
  bea = await app.person('bea', company, 'MEMBER');
});

async function storageOf(client: TestClient, memberId: string | null = null): Promise<object> {
  return (await client.get<{ documentStorage: object }>(STORAGE, { memberId })).documentStorage;
}

function announced(client: TestClient, bytes: number) {
  return client.send<{ createDocumentUpload: DocumentUploadAnswer }>(CREATE_UPLOAD, {
    input: { name: 'a.txt', mediaType: 'text/plain', bytes },
  });
}

async function refusalOf(client: TestClient, bytes: number): Promise<unknown> {
  return (await announced(client, bytes)).errors?.map(({ message, extensions }) => ({ message, extensions }));
}

function remove(client: TestClient, id: string): Promise<unknown> {
  return client.get(DELETE_DOCUMENT, { id });
}

interface Total {
  subject: string;
  documents: number;
  bytes: string;
}

function kept(): Promise<Total[]> {
  return app.resources.database.transaction(ada.companyId, (tx) =>
    tx.query<Total>('SELECT subject, documents, bytes FROM document_total WHERE documents <> 0 ORDER BY 1'),
  );
}

/** What the totals have to be, by the documents themselves. */
function addedUp(): Promise<Total[]> {
  return app.resources.database.transaction(ada.companyId, (tx) =>
    tx.query<Total>(
      `SELECT subject, count(*)::int AS documents, coalesce(sum(bytes) FILTER (WHERE upload_error IS NULL), 0) AS bytes
       FROM document, unnest(ARRAY['COMPANY', member_id::text]) AS subject GROUP BY 1 ORDER BY 1`,
    ),
  );
}

it('has room for so many bytes of a member and of a company, and no more', async () => {
  const { document } = await announce(bea.client, { bytes: 600 });
  expect(await refusalOf(bea.client, 401)).toEqual([
    {
      message: expect.stringMatching(/^You have no room left .* 1000 bytes\. Delete some/),
      extensions: { code: 'CONFLICT', limit: 1000, needed: 1 },
    },
  ]);
  await announce(bea.client, { bytes: 400 });
  expect(await refusalOf(ada.client, 501)).toEqual([
    {
      message: expect.stringMatching(/^Your company has no room left .* 1500 bytes/),
      extensions: { code: 'CONFLICT', limit: 1500, needed: 1 },
    },
  ]);
  expect(await storageOf(ada.client)).toEqual({ documents: 2, bytes: 1000, maxDocuments: 6, maxBytes: 1500 });
  await remove(bea.client, document.id);
  await announce(ada.client, { bytes: 900 });
  expect(await storageOf(ada.client)).toMatchObject({ documents: 2, bytes: 1300 });
  expect(await kept()).toEqual(await addedUp());
});

it('has room for so many documents', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await announce(bea.client, { bytes: 1 })).document.id);
  expect(await refusalOf(bea.client, 1)).toEqual([
    { message: expect.stringMatching(/^You have as many/), extensions: { code: 'CONFLICT', limit: 4 } },
  ]);
  for (let count = 0; count < 2; count += 1) await announce(ada.client, { bytes: 1 });
  expect(await refusalOf(ada.client, 1)).toEqual([
    {
      message: expect.stringMatching(/^Your company has as many/),
      extensions: { code: 'CONFLICT', limit: 6 },
    },
  ]);
  await remove(bea.client, ids[0]!);
  await announce(ada.client, { bytes: 1 });
});

it('is not taken twice by those who announce at the same time', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => announced(bea.client, 400)));
  expect(answers.filter(({ data }) => data !== null)).toHaveLength(2);
  expect(await storageOf(bea.client, bea.id)).toMatchObject({ documents: 2, bytes: 800 });
  expect(await kept()).toEqual(await addedUp());
});

it('is given back for what did not come of what was announced, or never came', async () => {
  const issued = await announce(bea.client, { bytes: 900 });
  await sendBytes(bea.client, issued, 'short');
  await processed(bea.client, issued.document.id);
  expect(await storageOf(bea.client, bea.id)).toMatchObject({ documents: 1, bytes: 5 });
  await announce(bea.client, { bytes: 900 });
  app.clock.advance(UPLOAD_DEADLINE_MS + 1);
  await app.nest.get(PendingUploads, { strict: false }).giveUp(app.clock.now());
  expect(await storageOf(bea.client, bea.id)).toMatchObject({ documents: 2, bytes: 5 });
  expect(await kept()).toEqual(await addedUp());
  for (const { id } of (
    await bea.client.get<{ documents: { edges: { node: { id: string } }[] } }>(
      '{ documents { edges { node { id } } } }',
    )
  ).documents.edges.map(({ node }) => node)) {
    await remove(bea.client, id);
  }
  expect(await storageOf(bea.client, bea.id)).toMatchObject({ documents: 0, bytes: 0 });
});

it('is looked for again when the bytes come, where it has become less', async () => {
  const issued = await announce(bea.client, { bytes: 5 });
  await app.resources.database.transaction(bea.companyId, (tx) =>
    tx.query(`UPDATE document_total SET bytes = 5000 WHERE subject = 'COMPANY'`),
  );
  expect(await sendBytes(bea.client, issued, 'short')).toMatchObject({
    status: 409,
    body: { errors: [{ extensions: { code: 'CONFLICT', limit: 1500 } }] },
  });
  expect(app.storage.keys.filter((key) => key.includes(bea.companyId))).toEqual([]);
});

it('is shown to admins of anybody, and to members of themselves', async () => {
  await upload(bea.client, 'a.txt', 'short');
  expect(await storageOf(ada.client)).toMatchObject({ documents: 1, bytes: 5, maxDocuments: 6 });
  expect(await storageOf(ada.client, bea.id)).toEqual({
    documents: 1,
    bytes: 5,
    maxDocuments: 4,
    maxBytes: 1000,
  });
  expect(await storageOf(ada.client, ada.id)).toMatchObject({ documents: 0, bytes: 0 });
  expect(await bea.client.codes(STORAGE)).toEqual(['FORBIDDEN']);
  expect(await bea.client.codes(STORAGE, { memberId: ada.id })).toEqual(['FORBIDDEN']);
  const stranger = await app.person('eve', await app.company());
  expect(await ada.client.codes(STORAGE, { memberId: stranger.id })).toEqual(['NOT_FOUND']);
});

it('is the company’s when its member is erased, and is what it was before it was counted', async () => {
  await upload(bea.client, 'a.txt', 'short');
  await upload(ada.client, 'b.txt', 'longer');
  await ada.client.get(ERASE, { id: bea.id });
  await eventually(kept, (totals) => totals.every(({ subject }) => subject !== bea.id));
  const before = await kept();
  expect(before).toEqual(await addedUp());
  expect(before).toHaveLength(3);
  const DocumentTotals = (await loadMigrations()).find(({ name }) => name.startsWith('DocumentTotals'));
  const migration = new DocumentTotals!();
  const runner = app.resources.database.dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await migration.down(runner);
    await migration.up(runner);
    await runner.commitTransaction();
  } finally {
    await runner.release();
  }
  expect(await kept()).toEqual(before);
});
