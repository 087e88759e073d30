import pg from 'pg';
import { meanings } from '@palabre/llm-client/embeddings/scripted-embedder.double.js';
import { gate } from '@palabre/llm-client/scripted-chat-model.double.js';
import { embedEach, raw, status } from '@palabre/llm-client/scripted-provider.double.js';

import { eventually } from '../harness/eventually.js';
import { contextOf } from '../harness/memory-context-view.js';
import { forget, remember } from '../harness/memory-view.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { testDatabaseUrl } from '../harness/test-server.js';

const means = meanings({ pay: ['salary', 'rémunération'], food: ['couscous', 'repas'] });
const meaning = embedEach(means);

function answerTo(texts: readonly string[]) {
  return {
    data: texts.map((text, index) => ({ index, embedding: means(text) })),
  };
}

/** The embedded database always has it. */
async function hasVectors(): Promise<boolean> {
  if (testDatabaseUrl === null) return true;
  const client = new pg.Client({ connectionString: testDatabaseUrl });
  await client.connect();
  const { rowCount } = await client.query(`SELECT FROM pg_available_extensions WHERE name = 'vector'`);
  await client.end();
  return rowCount !== 0;
}

const isPossible = await hasVectors();
const withVectors = isPossible ? describe : describe.skip;
const withoutVectors = isPossible ? describe.skip : describe;

let app: TestApp;
let company: string;
let awa: TestClient;
let ben: TestClient;

beforeAll(async () => {
  app = await startApp([], {}, { embeddings: meaning });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  app.provider.embeddings = meaning;
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
});

function fact(client: TestClient, content: string): Promise<{ id: string }> {
  return remember(client, { kind: 'FACT', subject: content.slice(0, 10), content });
}

async function found(client: TestClient, question: string): Promise<string[]> {
  return (await contextOf(client, question)).items.flatMap(({ memory }) => memory?.id ?? []);
}

async function scoreOf(client: TestClient, question: string, id: string): Promise<number> {
  const { items } = await contextOf(client, question);
  return items.find(({ memory }) => memory?.id === id)!.score;
}

async function health(): Promise<Record<string, unknown>> {
  return (await (await fetch(`${app.url}/health/ready`)).json()) as Record<string, unknown>;
}

function isEmbedded(count: number): Promise<unknown> {
  return eventually(
    () =>
      app.database.dataSource.query<unknown[]>(
        'SELECT FROM search_vector WHERE company_id = (SELECT id FROM company WHERE slug = $1)',
        [company],
      ),
    (rows) => rows.length === count,
  );
}

withVectors('search by meaning', () => {
  it('finds in another language what shares no word with the question, and for whom it is meant alone', async () => {
    const salary = await fact(awa, 'Her salary went up by ten percent.');
    await fact(ben, 'His salary did not.');
    await isEmbedded(2);
    expect(await found(awa, 'Quelle est la rémunération ?')).toEqual([salary.id]);
    expect(await health()).toMatchObject({ search: 'lexical and semantic', embedder: 'closed' });
  });

  it('tells anew what was told before the vectors were there', async () => {
    const released = Promise.withResolvers<void>();
    app.provider.embeddings = (texts, call) =>
      texts.some((text) => text.includes('ten percent'))
        ? [gate(released.promise), raw(JSON.stringify(answerTo(texts)))]
        : meaning(texts, call);
    const salary = await fact(awa, 'Her salary went up by ten percent.');
    // All that is remembered is told while it is little: at first not because of the question.
    const before = await scoreOf(awa, 'Quelle est la rémunération ?', salary.id);
    released.resolve();
    await isEmbedded(1);
    expect(await scoreOf(awa, 'Quelle est la rémunération ?', salary.id)).toBeGreaterThan(before);
  });

  it('forgets the vector of what is forgotten', async () => {
    const salary = await fact(awa, 'Her salary went up by ten percent.');
    await isEmbedded(1);
    await forget(awa, salary.id);
    await isEmbedded(0);
    expect(await found(awa, 'Quelle est la rémunération ?')).toEqual([]);
  });

  it('is done without while the embedder is away', async () => {
    app.provider.embeddings = () => [status(503)];
    const salary = await fact(awa, 'Her salary went up by ten percent.');
    expect(await found(awa, 'How much is the salary?')).toEqual([salary.id]);
    expect((await fetch(`${app.url}/health/ready`)).status).toBe(200);
  });
});

withoutVectors('on a server without pgvector', () => {
  it('what is asked for is found by its words, nobody is asked for vectors, and the health says so', async () => {
    const salary = await fact(awa, 'Her salary went up by ten percent.');
    expect(await found(awa, 'How much is the salary?')).toEqual([salary.id]);
    expect(app.provider.embeddingRequests).toEqual([]);
    expect(await health()).toMatchObject({ status: 'ready', search: 'lexical only' });
  });
});
