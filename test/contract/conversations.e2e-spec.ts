import fc from 'fast-check';
import { finish, gate, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { lastOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';
import { messagesOf } from '../harness/turn-view.js';

interface Connection {
  edges: { cursor: string; node: { id: string } }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

interface PageArguments {
  first?: number;
  after?: string | null;
  last?: number;
  before?: string | null;
}

const PAGE = 'edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const VARIABLES = '$first: Int, $after: String, $last: Int, $before: String';
const ARGUMENTS = 'first: $first, after: $after, last: $last, before: $before';

const CONVERSATIONS = `query (${VARIABLES}) { conversations(${ARGUMENTS}) { ${PAGE} } }`;
const MESSAGES = `query ($id: ID!, ${VARIABLES}) { conversation(id: $id) { messages(${ARGUMENTS}) { ${PAGE} } } }`;
const DELETE = 'mutation ($id: ID!) { deleteConversation(id: $id) }';

function echo(body: JsonObject): ProviderReply {
  return [text(`re ${lastOf(body).content}`), finish()];
}

let app: TestApp;
let reply: (body: JsonObject) => ProviderReply;
beforeAll(async () => {
  app = await shareApp((body) => reply(body));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => void (reply = echo));

function sql<Row>(query: string, values: unknown[] = []): Promise<Row[]> {
  return app.database.dataSource.query<Row[]>(query, values);
}

async function listConversations(client: TestClient, page: PageArguments = {}): Promise<Connection> {
  return (await client.get<{ conversations: Connection }>(CONVERSATIONS, page)).conversations;
}

function idsOf({ edges }: Connection): string[] {
  return edges.map(({ node }) => node.id);
}

describe('the pages of', () => {
  const COUNT = 47;
  let ids: Record<'conversations' | 'messages', string[]>;
  let client: TestClient;
  let conversationId: string;

  beforeAll(async () => {
    reply = echo;
    client = await app.client({ sub: 'pat' });
    const { turnId, ...begun } = await client.ask('begin');
    conversationId = begun.conversationId;
    await client.allEvents(turnId);
    // Three each at one instant, so that the order has to be kept within it as well.
    await sql(
      `INSERT INTO conversation (company_id, id, shown_branch_id, member_id, assistant_id, updated_at)
       SELECT company_id, added.id, added.id, member_id, assistant_id, timestamptz '2026-01-01' + added.position / 3 * interval '1 ms'
       FROM conversation, unnest($2::uuid[]) WITH ORDINALITY AS added (id, position) WHERE conversation.id = $1`,
      [conversationId, Array.from({ length: COUNT }, newId)],
    );
    await sql(
      `INSERT INTO message (company_id, id, conversation_id, branch_id, role, status, text)
       SELECT company_id, added.id, conversation.id, conversation.id, 'USER', 'COMPLETE', 'x'
       FROM conversation, unnest($2::uuid[]) AS added (id) WHERE conversation.id = $1`,
      [conversationId, Array.from({ length: COUNT }, newId)],
    );
    const idsIn = async (query: string) =>
      (await sql<{ id: string }>(query, [conversationId])).map(({ id }) => id);
    ids = {
      conversations: await idsIn(
        `SELECT id FROM conversation WHERE member_id = (SELECT member_id FROM conversation WHERE id = $1)
         ORDER BY updated_at DESC, id DESC`,
      ),
      messages: await idsIn('SELECT id FROM message WHERE conversation_id = $1 ORDER BY id'),
    };
  });

  const read = async (list: 'conversations' | 'messages', page: PageArguments): Promise<Connection> => {
    if (list === 'conversations') return listConversations(client, page);
    const variables = { id: conversationId, ...page };
    const data = await client.get<{ conversation: { messages: Connection } }>(MESSAGES, variables);
    return data.conversation.messages;
  };

  describe.each(['conversations', 'messages'] as const)('%s', (list) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 6 });

    it('forward, of any sizes, visit everything once and in order', async () => {
      await fc.assert(
        fc.asyncProperty(sizes, async (each) => {
          const seen: string[] = [];
          let after: string | null = null;
          for (let count = 0; ; count += 1) {
            const page: Connection = await read(list, { first: each[count % each.length] ?? 1, after });
            expect(page.pageInfo.hasPreviousPage).toBe(count > 0);
            seen.push(...idsOf(page));
            after = page.pageInfo.endCursor;
            expect(page.pageInfo.hasNextPage).toBe(seen.length < ids[list].length);
            if (!page.pageInfo.hasNextPage) break;
          }
          expect(seen).toEqual(ids[list]);
        }),
        { numRuns: 10 },
      );
    });

    it('backward, of any sizes, visit the same', async () => {
      await fc.assert(
        fc.asyncProperty(sizes, async (each) => {
          const seen: string[] = [];
          let before: string | null = null;
          for (let count = 0; ; count += 1) {
            const page: Connection = await read(list, { last: each[count % each.length] ?? 1, before });
            expect(page.pageInfo.hasNextPage).toBe(count > 0);
            seen.unshift(...idsOf(page));
            before = page.pageInfo.startCursor;
            expect(page.pageInfo.hasPreviousPage).toBe(seen.length < ids[list].length);
            if (!page.pageInfo.hasPreviousPage) break;
          }
          expect(seen).toEqual(ids[list]);
        }),
        { numRuns: 10 },
      );
    });

    it('between any two cursors are what lies between them', async () => {
      const all = (await read(list, { first: 100 })).edges;
      expect(all.map(({ node }) => node.id)).toEqual(ids[list]);
      const place = fc.option(fc.nat({ max: COUNT }));
      const size = fc.integer({ min: 0, max: 60 });
      await fc.assert(
        fc.asyncProperty(place, place, size, fc.boolean(), async (after, before, limit, backward) => {
          fc.pre(after === null || before === null || after < before);
          const page = await read(list, {
            ...(backward ? { last: limit } : { first: limit }),
            after: after === null ? null : all[after]!.cursor,
            before: before === null ? null : all[before]!.cursor,
          });
          const [from, to] = [after === null ? 0 : after + 1, before ?? all.length];
          const start = backward ? Math.max(from, to - limit) : from;
          const end = backward ? to : Math.min(to, from + limit);
          const expected = all.slice(start, end);
          expect(page).toEqual({
            edges: expected,
            pageInfo: {
              hasNextPage: end < all.length,
              hasPreviousPage: start > 0,
              startCursor: expected.at(0)?.cursor ?? null,
              endCursor: expected.at(-1)?.cursor ?? null,
            },
          });
        }),
        { numRuns: 60 },
      );
    });

    it('are twenty long unless a length is given, and a hundred at most', async () => {
      expect(idsOf(await read(list, {}))).toEqual(ids[list].slice(0, 20));
      expect(idsOf(await read(list, { first: 100 }))).toHaveLength(ids[list].length);
      expect(idsOf(await read(list, { last: 100 }))).toHaveLength(ids[list].length);
    });

    it.each<[PageArguments, string]>([
      [{ first: 101 }, 'first'],
      [{ first: -1 }, 'first'],
      [{ last: 101 }, 'last'],
      [{ last: -1 }, 'last'],
      [{ first: 5, last: 5 }, 'last'],
      [{ after: 'nonsense' }, 'after'],
      [{ before: Buffer.from('x').toString('base64url') }, 'before'],
      [{ after: Buffer.from('a~b').toString('base64url') }, 'after'],
      [{ before: Buffer.from(`yesterday~${newId()}`).toString('base64url') }, 'before'],
    ])('%j are refused', async (page, argument) => {
      const query = list === 'conversations' ? CONVERSATIONS : MESSAGES;
      const { errors = [] } = await client.send(query, { id: conversationId, ...page });
      expect(errors.map(({ extensions }) => [extensions.code, extensions.argument])).toEqual([
        ['BAD_USER_INPUT', argument],
      ]);
    });

    it('take no cursor of the other list', async () => {
      const other = list === 'conversations' ? 'messages' : 'conversations';
      const { pageInfo } = await read(other, { first: 1 });
      const query = list === 'conversations' ? CONVERSATIONS : MESSAGES;
      expect(await client.codes(query, { id: conversationId, after: pageInfo.endCursor })).toEqual([
        'BAD_USER_INPUT',
      ]);
    });
  });
});

describe('conversations', () => {
  it('come the most recently used first', async () => {
    const client = await app.client({ sub: 'quinn' });
    const made: string[] = [];
    for (const question of ['a', 'b', 'c']) {
      const { turnId, conversationId } = await client.ask(question);
      await client.allEvents(turnId);
      made.unshift(conversationId);
    }
    expect(idsOf(await listConversations(client))).toEqual(made);
    const [c = '', b = '', a = ''] = made;
    const { turnId } = await client.ask('a again', { conversationId: a });
    await client.allEvents(turnId);
    expect(idsOf(await listConversations(client))).toEqual([a, c, b]);
  });

  it('put each answer after its question, also when the next question came before it', async () => {
    const client = await app.client();
    const opened = Promise.withResolvers<void>();
    reply = (body) => [gate(opened.promise), text(`re ${lastOf(body).content}`), finish()];
    const { conversationId } = await client.ask('one');
    const second = await client.ask('two', { conversationId });
    expect(await messagesOf(client, conversationId)).toEqual(['USER COMPLETE: one', 'USER COMPLETE: two']);
    opened.resolve();
    await client.allEvents(second.turnId);
    expect(await messagesOf(client, conversationId)).toEqual([
      'USER COMPLETE: one',
      'ASSISTANT COMPLETE: re one',
      'USER COMPLETE: two',
      'ASSISTANT COMPLETE: re two',
    ]);
  });

  it.each([
    ['Quel est notre bilan ?\nDétails : beaucoup', 'Quel est notre bilan ?'],
    ['碳'.repeat(100), `${'碳'.repeat(79)}…`],
    ['👩🏽‍🚀'.repeat(81), `${'👩🏽‍🚀'.repeat(79)}…`],
  ])('are named by their first question: %s', async (question, title) => {
    const client = await app.client();
    const { conversation, turn } = await client.startTurn({ assistantKey: 'mefali', message: question });
    expect(conversation?.title).toBe(title);
    await client.allEvents(turn?.id ?? '');
    await client.ask('and another thing', { conversationId: conversation?.id });
    const query = 'query ($id: ID!) { conversation(id: $id) { title } }';
    expect(await client.get(query, { id: conversation?.id })).toEqual({ conversation: { title } });
  });

  it('belong to the member who began them', async () => {
    const ada = await app.client();
    const { turnId, conversationId } = await ada.ask('mine');
    await ada.allEvents(turnId);
    const strangers = [
      await app.client({ sub: 'bea' }),
      await app.client({ sub: 'ada', company: await app.company() }),
    ];
    for (const other of strangers) {
      expect(
        await other.get('query ($id: ID!) { conversation(id: $id) { id } }', { id: conversationId }),
      ).toEqual({
        conversation: null,
      });
      expect(await other.get('query ($id: ID!) { turn(id: $id) { id } }', { id: turnId })).toEqual({
        turn: null,
      });
      expect(await other.codes(DELETE, { id: conversationId })).toEqual(['NOT_FOUND']);
      expect(idsOf(await listConversations(other))).toEqual([]);
      await expect(other.allEvents(turnId)).rejects.toThrow('NOT_FOUND');
      const start = 'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }';
      expect(await other.codes(start, { input: { conversationId, message: 'yours' } })).toEqual([
        'NOT_FOUND',
      ]);
    }
    expect(await messagesOf(ada, conversationId)).toEqual([
      'USER COMPLETE: mine',
      'ASSISTANT COMPLETE: re mine',
    ]);
  });
});

describe('deleteConversation', () => {
  /** How many rows there are of a conversation and its turns, table by table. */
  const rowsOf = async (conversationId: string, turnIds: string[]): Promise<Record<string, number>> => {
    const [row] = await sql<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM conversation WHERE id = $1) AS conversation,
         (SELECT count(*)::int FROM message WHERE conversation_id = $1) AS message,
         (SELECT count(*)::int FROM turn WHERE conversation_id = $1) AS turn,
         (SELECT count(*)::int FROM turn_event WHERE turn_id = ANY ($2)) AS turn_event`,
      [conversationId, turnIds],
    );
    return row ?? {};
  };
  const none = { conversation: 0, message: 0, turn: 0, turn_event: 0 };

  it('leaves nothing, and nothing to delete again', async () => {
    const client = await app.client();
    const { turnId, conversationId } = await client.ask('one');
    await client.allEvents(turnId);
    expect(await rowsOf(conversationId, [turnId])).toMatchObject({ conversation: 1, message: 2, turn: 1 });
    expect(await client.get(DELETE, { id: conversationId })).toEqual({ deleteConversation: conversationId });
    expect(await rowsOf(conversationId, [turnId])).toEqual(none);
    for (const id of [conversationId, newId(), 'nonsense']) {
      expect(await client.codes(DELETE, { id })).toEqual(['NOT_FOUND']);
    }
    await expect(client.allEvents(turnId)).rejects.toThrow('NOT_FOUND');
  });

  it('cancels what is under way and in line, and tells who listens', async () => {
    const client = await app.client();
    const arrived = Promise.withResolvers<void>();
    reply = () => {
      arrived.resolve();
      return [text('So far'), hang()];
    };
    const first = await client.ask('one');
    const second = await client.ask('two', { conversationId: first.conversationId });
    const turnIds = [first.turnId, second.turnId];
    const streams = turnIds.map((turnId) => client.turnEvents(turnId));
    // Each is known to listen once it has shown something.
    const begun = await Promise.all(streams.map(async (events) => (await events.next()).value));
    expect(begun.map((event) => event?.__typename)).toEqual(['StatusChanged', 'StatusChanged']);
    await arrived.promise;
    await client.get(DELETE, { id: first.conversationId });
    await app.provider.nextAbort();
    for (const events of await Promise.all(streams.map((stream) => Array.fromAsync(stream)))) {
      expect(events.at(-1)).toMatchObject({
        __typename: 'TurnDone',
        status: 'CANCELLED',
        finishReason: 'CANCELLED',
      });
    }
    expect(await rowsOf(first.conversationId, turnIds)).toEqual(none);
  });

  it('ends a turn whose owner does not answer', async () => {
    const client = await app.client();
    const { turnId, conversationId } = await client.ask('one');
    await client.allEvents(turnId);
    // As a process leaves it that has died.
    await sql(
      `UPDATE turn SET status = 'RUNNING', attempt = 1, lease_until = now() + interval '1 hour' WHERE id = $1`,
      [turnId],
    );
    await sql(`DELETE FROM turn_event WHERE turn_id = $1 AND type = 'turn-done'`, [turnId]);
    await sql('UPDATE turn SET last_sequence = last_sequence - 1 WHERE id = $1', [turnId]);
    const stream = client.turnEvents(turnId);
    await stream.next();
    await client.get(DELETE, { id: conversationId });
    const events = await Array.fromAsync(stream);
    expect(events.at(-1)).toMatchObject({ __typename: 'TurnDone', status: 'CANCELLED' });
    expect(await rowsOf(conversationId, [turnId])).toEqual(none);
  });

  it('and questions that come at the same moment do not leave each other hanging', async () => {
    const client = await app.client();
    const { turnId, conversationId } = await client.ask('one');
    await client.allEvents(turnId);
    const start = `mutation ($input: StartTurnInput!) {
      startTurn(input: $input) { ... on TurnAccepted { turn { id } } } }`;
    const asked = Array.from({ length: 8 }, (_, index) =>
      client.send<{ startTurn: { turn: { id: string } } }>(start, {
        input: { conversationId, message: `question ${index}` },
      }),
    );
    const [deleted, ...answers] = await Promise.all([client.send(DELETE, { id: conversationId }), ...asked]);
    expect(deleted?.errors).toBeUndefined();
    const turnIds = answers.flatMap(({ data, errors = [] }) => {
      for (const { extensions } of errors) expect(extensions.code).toBe('NOT_FOUND');
      return (data as { startTurn: { turn: { id: string } } } | null)?.startTurn.turn.id ?? [];
    });
    for (const turnId of turnIds) {
      await expect(client.allEvents(turnId)).rejects.toThrow('NOT_FOUND');
    }
    expect(await rowsOf(conversationId, turnIds)).toEqual(none);
  });
});
