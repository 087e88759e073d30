import fc from 'fast-check';

import { MAX_ANSWER_BYTES, MAX_PAGE_BYTES } from '../../src/common/schema/answer-size.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

const IMPORT = `mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }`;
const MESSAGES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  conversation(id: $id) { messages(first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id text } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
const ALL = '{ conversations { edges { node { messages { edges { node { text } } } } } } }';

interface Page {
  edges: { cursor: string; node: { id: string; text: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
}

let app: TestApp;
let client: TestClient;

beforeAll(async () => {
  app = await shareApp(() => []);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  client = await app.client({ company: await app.company() });
});

/** A conversation whose messages have so many characters, of two bytes each. Gives its id. */
async function conversationOf(lengths: readonly number[]): Promise<string> {
  const messages = lengths.map((length, index) => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text: String(length),
    createdAt: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
  }));
  const input = { assistantKey: 'mefali', messages };
  const { importConversation } = await client.get<{ importConversation: { id: string } }>(IMPORT, { input });
  await app.database.dataSource.query(
    `UPDATE message SET text = repeat('é', text::int) WHERE conversation_id = $1`,
    [importConversation.id],
  );
  return importConversation.id;
}

async function pageOf(id: string, variables: object): Promise<Page> {
  return (await client.get<{ conversation: { messages: Page } }>(MESSAGES, { id, ...variables })).conversation
    .messages;
}

function bytesIn({ edges }: Page): number {
  return edges.reduce((sum, { node }) => sum + Buffer.byteLength(node.text), 0);
}

describe('the pages of a list of large items', () => {
  const lengths = fc.array(fc.oneof(fc.constant(10), fc.nat({ max: 300_000 }), fc.constant(1_100_000)), {
    minLength: 1,
    maxLength: 10,
  });

  it('end at 2 MB, say so, and follow each other without a loss or a repetition, either way', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 20 }), async (wanted, size) => {
        const id = await conversationOf(wanted);
        const forward: Page[] = [];
        do forward.push(await pageOf(id, { first: size, after: forward.at(-1)?.pageInfo.endCursor ?? null }));
        while (forward.at(-1)?.pageInfo.hasNextPage);
        const backward: Page[] = [];
        do
          backward.unshift(
            await pageOf(id, { last: size, before: backward[0]?.pageInfo.startCursor ?? null }),
          );
        while (backward[0]?.pageInfo.hasPreviousPage);
        for (const pages of [forward, backward]) {
          const texts = pages.flatMap(({ edges }) => edges.map(({ node }) => node.text.length));
          expect(texts).toEqual(wanted);
          for (const page of pages) {
            expect(page.edges.length).toBeGreaterThan(0);
            if (page.edges.length > 1) expect(bytesIn(page)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
          }
        }
      }),
      { numRuns: 5 },
    );
  });

  it('are as long as was asked for where the items are not', async () => {
    const id = await conversationOf(Array(30).fill(100));
    const { edges, pageInfo } = await pageOf(id, { first: 25 });
    expect([edges.length, pageInfo.hasNextPage]).toEqual([25, true]);
  });
});

describe('an answer as a whole', () => {
  const tooLarge = [
    expect.objectContaining({
      message: expect.stringContaining('smaller pages'),
      extensions: { code: 'PAYLOAD_TOO_LARGE', limit: MAX_ANSWER_BYTES },
    }),
  ];

  const overSocket = async (query: string): Promise<unknown> => {
    for await (const result of client.socket().iterate({ query })) return result;
    return null;
  };

  beforeEach(async () => {
    for (let count = 0; count < 6; count += 1) await conversationOf([450_000, 450_000]);
  });

  it('is refused beyond 10 MB, with one error and nothing else, over HTTP and a socket', async () => {
    const { data, errors } = await client.send<unknown>(ALL);
    expect([data, errors]).toEqual([null, tooLarge]);
    expect(await overSocket(ALL)).toEqual({ data: null, errors: tooLarge });
  });

  it('is given up to that, over HTTP and a socket', async () => {
    const query = ALL.replace('conversations', 'conversations(first: 5)');
    const answer = await client.get<object>(query);
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeGreaterThan(9_000_000);
    expect(await overSocket(query)).toEqual({ data: answer });
  });

  it('is counted over all that it asks for, however it is asked for', async () => {
    const [{ node }] = (
      await client.get<{ conversations: { edges: [{ node: { id: string } }] } }>(
        '{ conversations { edges { node { id } } } }',
      )
    ).conversations.edges;
    const again = Array.from(
      'abcdef',
      (alias) => `${alias}: conversation(id: "${node.id}") { messages { edges { node { text } } } }`,
    );
    const { data, errors }: GraphQLAnswer<unknown> = await client.send(`{ ${again.join(' ')} }`);
    expect([data, errors]).toEqual([null, tooLarge]);
  });
});
