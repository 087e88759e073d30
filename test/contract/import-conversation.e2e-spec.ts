import { request } from 'node:http';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { eventually } from '../harness/eventually.js';
import { SHOWN, type Shown } from '../harness/message-tree.js';
import { spokenIn } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const IMPORT = /* GraphQL */ `
  mutation Import($input: ImportConversationInput!) {
    importConversation(input: $input) {
      id
      title
      createdAt
      updatedAt
      indexProgress
      assistant {
        key
      }
    }
  }
`;

const MESSAGES = /* GraphQL */ `
  query ($id: ID!, $first: Int, $after: String) {
    conversation(id: $id) {
      messages(first: $first, after: $after) {
        pageInfo {
          hasNextPage
          endCursor
        }
        edges {
          node {
            role
            status
            text
            author
            createdAt
            turn {
              id
            }
          }
        }
      }
    }
  }
`;

const TITLE = 'query ($id: ID!) { conversation(id: $id) { title } }';

interface Titled {
  title: string | null;
}

interface Imported extends Titled {
  id: string;
  createdAt: string;
  updatedAt: string;
  indexProgress: number;
  assistant: { key: string };
}

interface ImportedMessage {
  role: string;
  text: string;
  author?: string | null;
  createdAt: string;
}

interface StoredMessage extends ImportedMessage {
  status: string;
  turn: object | null;
}

interface Page {
  conversation: {
    messages: {
      pageInfo: { hasNextPage: boolean; endCursor: string };
      edges: { node: StoredMessage }[];
    };
  };
}

const START = Date.parse('2023-05-08T13:56:00.000Z');
function dialogue(count: number, textOf: (index: number) => string = (index) => `line ${index}`) {
  return Array.from({ length: count }, (_, index): ImportedMessage => ({
    role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
    text: textOf(index),
    author: index % 2 === 0 ? 'Nadia' : 'Tom',
    createdAt: new Date(START + index * 60_000).toISOString(),
  }));
}

describe('a conversation of another system', () => {
  let app: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    app = await shareApp(() => [text('Understood.'), finish()]);
    client = await app.client();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const bringIn = async (messages: object[], input: object = {}, by = client): Promise<Imported> =>
    (
      await by.get<{ importConversation: Imported }>(IMPORT, {
        input: { assistantKey: 'therese', messages, ...input },
      })
    ).importConversation;

  const refusal = async (input: object) => {
    const { errors } = await client.send(IMPORT, { input: { assistantKey: 'therese', ...input } });
    return errors?.[0];
  };

  const messagesOf = async (id: string): Promise<StoredMessage[]> => {
    const all: StoredMessage[] = [];
    for (let after: string | null = null; ;) {
      const { conversation }: Page = await client.get<Page>(MESSAGES, { id, first: 100, after });
      all.push(...conversation.messages.edges.map(({ node }) => node));
      if (!conversation.messages.pageInfo.hasNextPage) return all;
      after = conversation.messages.pageInfo.endCursor;
    }
  };

  it('keeps its dates, its authors and its order', async () => {
    const messages = dialogue(6);
    const imported = await bringIn(messages, { title: 'With Tom' });
    expect(imported).toMatchObject({
      title: 'With Tom',
      createdAt: messages[0]!.createdAt,
      updatedAt: messages[5]!.createdAt,
      assistant: { key: 'therese' },
      indexProgress: 1,
    });
    expect(await messagesOf(imported.id)).toEqual(
      messages.map((message) => ({ ...message, status: 'COMPLETE', turn: null })),
    );
  });

  it('is called after its first question where nobody named it', async () => {
    const [answer, question] = [dialogue(2)[1]!, dialogue(1)[0]!];
    const messages = [
      { ...answer, createdAt: question.createdAt },
      { ...question, text: 'Where is the kiln?\nIn the garage?' },
    ];
    expect((await bringIn(messages)).title).toBe('Where is the kiln?');
    expect((await bringIn(messages, { title: '\u200b\u2060' })).title).toBe('Where is the kiln?');
  });

  it('takes messages of one moment, and a side without a name', async () => {
    const messages = dialogue(3).map(({ author: _author, ...message }) => ({
      ...message,
      createdAt: new Date(START).toISOString(),
    }));
    const stored = await messagesOf((await bringIn(messages)).id);
    expect(stored.map(({ text: said, author }) => [said, author])).toEqual(
      messages.map((message) => [message.text, null]),
    );
  });

  it('goes on where it ended', async () => {
    const { id } = await bringIn(dialogue(30));
    const { turnId } = await client.ask('And now?', { conversationId: id });
    await client.allEvents(turnId);
    const spoken = spokenIn(app.provider.requests.at(-1));
    expect(spoken).toHaveLength(21);
    expect(spoken[0]).toBe('user: line 10');
    expect(spoken.slice(-2)).toEqual(['assistant: line 29', 'user: And now?']);
    const said = await messagesOf(id);
    expect(said.map((message) => message.text).slice(-3)).toEqual(['line 29', 'And now?', 'Understood.']);
    const { conversations } = await client.get<{ conversations: { edges: { node: { id: string } }[] } }>(
      '{ conversations(first: 1) { edges { node { id } } } }',
    );
    expect(conversations.edges[0]?.node.id).toBe(id);
  });

  it('may hold thousands of messages', async () => {
    const sentence = 'We talked for a long time about the kiln, the market and the price of clay. ';
    const messages = dialogue(5_000, (index) => `${sentence.repeat(4)}${index}`);
    const { id } = await bringIn(messages);
    const [{ count } = { count: '' }] = await app.database.dataSource.query<{ count: string }[]>(
      'SELECT count(*) FROM message WHERE conversation_id = $1',
      [id],
    );
    expect(Number(count)).toBe(5_000);
    const last = await client.get<{ conversation: { messages: { edges: { node: { text: string } }[] } } }>(
      'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { edges { node { text } } } } }',
      { id },
    );
    expect(last.conversation.messages.edges[0]?.node.text).toBe(messages.at(-1)?.text);
  });

  it('is nobody else’s', async () => {
    const { id } = await bringIn(dialogue(2));
    const ben = await app.client({ sub: 'ben', role: 'MEMBER' });
    expect(await ben.get('query ($id: ID!) { conversation(id: $id) { id } }', { id })).toEqual({
      conversation: null,
    });
  });

  it('is refused where a message is older than the one before it, with its place', async () => {
    const messages = dialogue(20);
    messages[17] = { ...messages[17]!, createdAt: messages[15]!.createdAt };
    expect(await refusal({ messages })).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT', path: ['input', 'messages', '17', 'createdAt'] },
    });
  });

  it.each<[string, object, string[]]>([
    ['in the future', { createdAt: '2999-01-01T00:00:00Z' }, ['messages', '1', 'createdAt']],
    ['of the year 0', { createdAt: '0000-12-31T00:00:00Z' }, ['messages', '1', 'createdAt']],
    ['empty', { text: ' \n\u0000' }, ['messages', '1', 'text']],
    ['too long', { text: 'x'.repeat(100_001) }, ['messages', '1', 'text']],
    ['of somebody with too long a name', { author: 'x'.repeat(101) }, ['messages', '1', 'author']],
  ])('is refused where a message is %s', async (_what, wrong, path) => {
    const [first, second] = dialogue(2);
    expect(await refusal({ messages: [first, { ...second, ...wrong }] })).toMatchObject({
      extensions: { code: 'BAD_USER_INPUT', path: ['input', ...path] },
    });
  });

  it('is refused without messages, with too many, and with too long a title', async () => {
    const paths = [
      { messages: [] },
      { messages: dialogue(5_001) },
      { messages: dialogue(1), title: 'x'.repeat(201) },
      { messages: [{ ...dialogue(1)[0], text: '\u200b\u200b' }] },
    ];
    const refused = await Promise.all(paths.map(refusal));
    expect(refused.map((error) => error?.extensions.path)).toEqual([
      ['input', 'messages'],
      ['input', 'messages'],
      ['input', 'title'],
      ['input', 'messages', '0', 'text'],
    ]);
  });

  it('is refused for an assistant that there is not', async () => {
    expect(await refusal({ assistantKey: 'nobody', messages: dialogue(1) })).toMatchObject({
      extensions: { code: 'NOT_FOUND', path: ['input', 'assistantKey'] },
    });
  });

  it('is refused with more text than one import may have, by the figure', async () => {
    const messages = dialogue(101, () => 'x'.repeat(100_000));
    expect(await refusal({ messages })).toMatchObject({
      extensions: { code: 'PAYLOAD_TOO_LARGE', limit: 10_000_000, bytes: 10_100_000 },
    });
  });

  it('keeps a title that somebody gave it when its first question is asked anew', async () => {
    const titleAfter = async (title?: string): Promise<string | null> => {
      const { id } = await bringIn(dialogue(4), title === undefined ? {} : { title });
      const { conversation } = await client.get<Shown>(SHOWN, { id });
      const first = conversation.messages.edges[0]!.node;
      const { turnId } = await client.ask('Where is the kiln?', { replacesMessageId: first.id });
      await client.allEvents(turnId);
      return (await client.get<{ conversation: Titled }>(TITLE, { id })).conversation.title;
    };
    expect(await titleAfter('With Tom')).toBe('With Tom');
    expect(await titleAfter()).toBe('Where is the kiln?');
  });

  it('is left out of the index where its assistant recalls nothing, and taken in once it does', async () => {
    const eve = await app.client({ sub: 'eve' });
    const { id, indexProgress } = await bringIn(dialogue(3), { assistantKey: 'solven' }, eve);
    expect(indexProgress).toBe(0);
    await eve.get(
      'mutation { updateAssistant(key: "solven", input: { recallsConversations: true }) { key } }',
    );
    const progress = async (): Promise<number> =>
      (
        await eve.get<{ conversation: { indexProgress: number } }>(
          'query ($id: ID!) { conversation(id: $id) { indexProgress } }',
          { id },
        )
      ).conversation.indexProgress;
    await eventually(progress, (done) => done === 1);
  });
});

describe('a request that is as large as an import', () => {
  let app: TestApp;
  const large = dialogue(30, () => 'x'.repeat(50_000));
  const body = JSON.stringify({
    query: IMPORT,
    variables: { input: { assistantKey: 'therese', messages: large } },
  });
  /** Begins a request and never ends it: what it is answered with is decided by its beginning. */
  const begin = (
    token: string | null,
    headers: Record<string, string>,
    beginning: string,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
      const begun = request(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization, ...headers },
      });
      begun.on('error', reject).on('response', (response) => {
        resolve(response.statusCode);
        begun.destroy();
      });
      begun.write(beginning);
    });
  const length = { 'content-length': String(Buffer.byteLength(body)) };

  beforeAll(async () => {
    app = await shareApp([]);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('is taken of somebody who has signed in, and indexed in the background', async () => {
    const client = await app.client();
    const input = { assistantKey: 'therese', messages: large };
    const { importConversation } = await client.get<{ importConversation: Imported }>(IMPORT, { input });
    const progress = async (): Promise<number> => {
      const { conversation } = await client.get<{ conversation: Imported }>(
        'query ($id: ID!) { conversation(id: $id) { indexProgress } }',
        { id: importConversation.id },
      );
      return conversation.indexProgress;
    };
    await eventually(progress, (done) => done === 1);
  });

  it.each<[string, string | null]>([
    ['nobody', null],
    ['somebody whose token is no good', 'nonsense'],
  ])('is not read of %s', async (_who, token) => {
    expect(await begin(token, length, '{')).toBe(413);
  });

  it('is not read as a request for a stream of events', async () => {
    const { token } = await app.client();
    expect(await begin(token, { ...length, accept: 'text/event-stream' }, '{')).toBe(413);
  });

  it('is not read to its end where it does not say how long it is', async () => {
    const { token } = await app.client();
    expect(await begin(token, { 'transfer-encoding': 'chunked' }, body)).toBe(413);
  });

  it('is an import or nothing', async () => {
    const client = await app.client();
    const query = 'mutation ($name: String) { updateCompany(input: { name: $name }) { id } }';
    const { httpStatus, errors } = await client.send(query, { name: 'x'.repeat(2_000_000) });
    expect(httpStatus).toBe(413);
    expect(errors).toEqual([
      {
        message: expect.stringMatching(/at most 1048576 bytes.* import .* at most 16777216\.$/),
        extensions: { code: 'PAYLOAD_TOO_LARGE' },
      },
    ]);
  });
});
