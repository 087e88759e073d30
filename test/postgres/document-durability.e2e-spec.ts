import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '../../src/platform/database/open-database.js';
import {
  type DocumentAnswer,
  processed,
  progressOf,
  searchDocuments,
  upload,
} from '../harness/document-view.js';
import { ServerProcess, type Settings } from '../harness/server-process.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { testDatabaseUrl } from '../harness/test-server.js';

// A server that is gone is missed after a quarter of a minute, and looked for every quarter of a minute.
const onServer = testDatabaseUrl === null ? describe.skip : describe;

let folder: string;
let testDatabase: TestDatabase;
let settings: Settings;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palabre-'));
  testDatabase = await createTestDatabase();
  const { url } = testDatabase.location.database;
  settings = { DATA_DIR: folder, ...(url === null ? {} : { DATABASE_URL: url }) };
});
afterEach(async () => {
  await testDatabase[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Long enough to be in the middle of it: by far not over when its first progress is told. */
const BOOK = Array.from(
  { length: 4_000 },
  (_, chapter) =>
    `## Verger ${chapter}\n\n${Array.from({ length: 12 }, (_, row) => `Le rang ${row} du verger ${chapter} porte ${chapter * 31 + row} kilos de karité.`).join(' ')}`,
).join('\n\n');

/** How a document stands when some of it has been read. */
async function underWay(told: AsyncGenerator<DocumentAnswer, void>): Promise<DocumentAnswer> {
  for (;;) {
    const { value } = await told.next();
    if (!value || value.status === 'COMPLETED' || value.status === 'FAILED')
      throw new Error('It was too fast.');
    if (value.progress > 0) return value;
  }
}

interface Stored {
  ordinals: number[];
  contents: { status: string; attempt: number; passageCount: number }[];
}

/** What is in the database, when no server is there. */
async function stored(): Promise<Stored> {
  const { location } = testDatabase;
  const isEmbedded = location.database.url === null;
  const { database, close } = await openDatabase(
    isEmbedded ? { database: location.database, dataDir: folder } : location,
    [],
  );
  try {
    const rows = await database.dataSource.query<{ ordinal: number }[]>(
      'SELECT ordinal FROM passage ORDER BY ordinal',
    );
    const contents = await database.dataSource.query<Stored['contents']>(
      'SELECT status, attempt, passage_count AS "passageCount" FROM document_content',
    );
    return { ordinals: rows.map(({ ordinal }) => ordinal), contents };
  } finally {
    await close();
  }
}

async function expectEachOnce(document: DocumentAnswer): Promise<void> {
  const { ordinals, contents } = await stored();
  expect(ordinals).toEqual(Array.from({ length: document.passages ?? 0 }, (_, ordinal) => ordinal));
  // A server too busy to say that it goes on is taken for dead as well: the second attempt need not be the last.
  expect(contents).toEqual([
    { status: 'COMPLETED', attempt: expect.any(Number), passageCount: document.passages },
  ]);
  expect(contents[0]?.attempt).toBeGreaterThanOrEqual(2);
}

it('a server that is killed in the middle of a document goes on with it when it is back', async () => {
  let id: string;
  {
    await using server = await ServerProcess.start(settings);
    const client = await server.client();
    id = await upload(client, 'vergers.md', BOOK);
    await underWay(progressOf(client, id));
    await server.kill('SIGKILL');
  }
  let document: DocumentAnswer;
  {
    await using server = await ServerProcess.start(settings);
    const client = await server.client();
    document = await processed(client, id);
    expect(document).toMatchObject({ status: 'COMPLETED', progress: 1, language: 'fr' });
    const [found] = await searchDocuments(client, 'rang 7 du verger 1111');
    expect(found?.text).toContain('verger 1111');
    await server.kill('SIGTERM');
  }
  await expectEachOnce(document);
});

onServer('on several replicas', () => {
  it('another one goes on with what a server was reading that is killed, and its clients see it', async () => {
    let id: string;
    let last: DocumentAnswer;
    {
      await using reader = await ServerProcess.start({ ...settings, ROLE: 'worker' });
      await using api = await ServerProcess.start({ ...settings, ROLE: 'api' });
      const client = await api.client();
      id = await upload(client, 'vergers.md', BOOK);
      const told = progressOf(client, id);
      const shares = [(await underWay(told)).progress];
      await reader.kill('SIGKILL');
      await using next = await ServerProcess.start({ ...settings, ROLE: 'worker' });
      for await (const { progress } of told) shares.push(progress);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      last = await processed(client, id);
      expect(last).toMatchObject({ status: 'COMPLETED' });
      await next.kill('SIGTERM');
      await api.kill('SIGTERM');
    }
    await expectEachOnce(last);
  });

  it('what is being read when a server is told to stop is read by another one soon', async () => {
    await using reader = await ServerProcess.start({ ...settings, ROLE: 'worker' });
    await using api = await ServerProcess.start({ ...settings, ROLE: 'api' });
    const client = await api.client();
    const id = await upload(client, 'vergers.md', BOOK);
    const told = progressOf(client, id);
    await underWay(told);
    await using next = await ServerProcess.start({ ...settings, ROLE: 'worker' });
    await reader.kill('SIGTERM');
    expect(await processed(client, id)).toMatchObject({ status: 'COMPLETED' });
    await next.kill('SIGTERM');
    await api.kill('SIGTERM');
    const { contents } = await stored();
    expect(contents).toEqual([expect.objectContaining({ status: 'COMPLETED' })]);
  });
});
