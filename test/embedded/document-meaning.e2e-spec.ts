import pg from 'pg';
import { type Meaning, meanings } from '@palabre/llm-client/embeddings/scripted-embedder.double.js';
import { gate } from '@palabre/llm-client/scripted-chat-model.double.js';
import {
  type EmbeddingScript,
  embedEach,
  raw,
  status,
} from '@palabre/llm-client/scripted-provider.double.js';

import { processed, searchDocuments, upload } from '../harness/document-view.js';
import { eventually } from '../harness/eventually.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const means = meanings({
  leave: ['vacation', 'days off', 'congés', '休假', 'vacaciones'],
  pay: ['salary', 'rémunération', 'wage', '薪水'],
  fire: ['alarm', 'incendie', 'blaze'],
});
const meaning = embedEach(means);
/** Of fewer dimensions. */
const otherMeans: Meaning = (text) => means(text).slice(0, 48);

const HANDBOOK = `# Handbook

## Vacation

Everybody has 27 days off, and one more after five years in the house. Ask for them at the front desk, a month before they begin.

## Salary

The salary is transferred on the last working day of each month. Ask the front desk for a copy of the slip, which comes by mail otherwise.

## Alarm

When the alarm rings, leave by the nearest exit and gather at the flagpole beside the front desk.

## Visitors

Guests sign the yellow book at the front desk, wear a badge, and are taken back there by their host.`;

/** The embedded database always has it. */
async function hasVectors(): Promise<boolean> {
  if (testDatabaseUrl === null) return true;
  const client = new pg.Client({ connectionString: testDatabaseUrl });
  await client.connect();
  const { rowCount } = await client.query(`SELECT FROM pg_available_extensions WHERE name = 'vector'`);
  await client.end();
  return rowCount !== 0;
}

const withVectors = (await hasVectors()) ? describe : describe.skip;

let app: TestApp;
let company: string;
let ada: TestClient;

/** Questions are embedded at once, passages when they are let. */
function passagesOnce(released: Promise<void>, means: Meaning): EmbeddingScript {
  return (texts) => {
    const data = texts.map((text, index) => ({ index, embedding: means(text) }));
    const answer = raw(JSON.stringify({ data }));
    return texts.some((text) => text.includes('Handbook')) ? [gate(released), answer] : [answer];
  };
}

function vectors(model: string): Promise<{ count: number }[]> {
  return app.database.dataSource.query(
    `SELECT count(*)::int AS count FROM search_vector AS vector
     JOIN search_space AS space ON space.id = vector.space AND space.model = $2
     WHERE vector.company_id = (SELECT id FROM company WHERE slug = $1)`,
    [company, model],
  );
}

/** Once each of the passages has its vector. */
function isEmbedded(passages: number, model = 'scripted-embedder'): Promise<unknown> {
  return eventually(
    () => vectors(model),
    ([row]) => row?.count === passages,
  );
}

async function add(name: string, text: string): Promise<number> {
  const { passages } = await processed(ada, await upload(ada, name, text));
  return passages ?? 0;
}

/** The first words of what is found. */
async function headingsOf(query: string): Promise<string[]> {
  return (await searchDocuments(ada, query)).map(({ text }) => /## (\w+)/.exec(text)?.[1] ?? text);
}

withVectors('search by meaning in documents', () => {
  beforeAll(async () => {
    app = await startApp([], {}, { embeddings: meaning, isLasting: true });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    app.provider.embeddings = meaning;
    company = await app.company();
    ada = await app.client({ company });
  });

  it('finds what is said in other words and in other languages, and loses nothing that words find', async () => {
    const released = Promise.withResolvers<void>();
    app.provider.embeddings = passagesOnce(released.promise, means);
    const passages = await add('handbook.md', HANDBOOK);
    const byWords = await headingsOf('Who signs the yellow book?');
    expect(byWords[0]).toBe('Visitors');
    for (const question of ['Combien de congés ?', '休假', '¿Y las vacaciones?']) {
      expect(await headingsOf(question)).toEqual([]);
    }
    released.resolve();
    await isEmbedded(passages);
    for (const question of ['Combien de congés ?', '休假', '¿Y las vacaciones?']) {
      expect((await headingsOf(question))[0]).toBe('Vacation');
    }
    expect((await headingsOf('Quelle est la rémunération ?'))[0]).toBe('Salary');
    expect((await headingsOf('Where is the blaze?'))[0]).toBe('Alarm');
    expect(await headingsOf('Who signs the yellow book?')).toEqual(expect.arrayContaining(byWords));
    expect((await headingsOf('Who signs the yellow book?'))[0]).toBe('Visitors');
  });

  it('is done without while the embedder is away', async () => {
    const passages = await add('handbook.md', HANDBOOK);
    await isEmbedded(passages);
    app.provider.embeddings = () => [status(503)];
    expect((await headingsOf('Who signs the book that is yellow?'))[0]).toBe('Visitors');
    const { errors } = await ada.send('{ searchDocuments(query: "salary of everybody") { text } }');
    expect(errors).toBeUndefined();
  });

  it('goes on while everything is embedded anew by another model', async () => {
    const passages = await add('handbook.md', HANDBOOK);
    await isEmbedded(passages);
    const released = Promise.withResolvers<void>();
    app.provider.embeddings = passagesOnce(released.promise, otherMeans);
    await app.restart({ EMBEDDING_MODEL: 'another-embedder' });
    ada = await app.client({ company });
    expect((await headingsOf('Who signs the yellow book?'))[0]).toBe('Visitors');
    expect(await headingsOf('Combien de congés ?')).toEqual([]);
    released.resolve();
    await isEmbedded(passages, 'another-embedder');
    expect((await headingsOf('Combien de congés ?'))[0]).toBe('Vacation');
    expect((await headingsOf('Who signs the yellow book?'))[0]).toBe('Visitors');
    await eventually(
      () => vectors('scripted-embedder'),
      ([row]) => row?.count === 0,
    );
  });
});
