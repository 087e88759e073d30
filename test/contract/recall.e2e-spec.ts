import { finish, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { newId } from '../../src/common/ids.js';
import { REGENERATE } from '../harness/message-tree.js';
import { lastOf } from '../harness/provider-request.js';
import { ShiftedClock } from '../harness/shifted-clock.js';
import { shareApp, startApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { cancelTurn } from '../harness/turn-view.js';

const CONTEXT = /* GraphQL */ `
  query ($message: String!, $conversationId: ID) {
    memoryContext(message: $message, conversationId: $conversationId) {
      text
      tokens
      items {
        section
        text
        messages {
          id
          text
        }
      }
    }
  }
`;

interface Context {
  text: string;
  tokens: number;
  items: { section: string; text: string; messages: { id: string; text: string }[] }[];
}

const CODE = 'The flamingo code is 4711.';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Dated talks of two people: each line of a day is a minute after the one before. */
function talk(days: Record<string, string[]>) {
  return Object.entries(days).flatMap(([day, lines]) =>
    lines.map((line, index) => ({
      role: index % 2 === 0 ? 'USER' : 'ASSISTANT',
      author: index % 2 === 0 ? 'Nadia' : 'Tom',
      text: line,
      createdAt: new Date(Date.parse(`${day}T09:00:00Z`) + index * 60_000).toISOString(),
    })),
  );
}

describe('earlier conversations', () => {
  let app: TestApp;
  /** Somebody of whom nothing is known yet. */
  let client: TestClient;
  /** The model says nothing the next time that it is told the code, and resolves this. Null: it answers. */
  let silence: PromiseWithResolvers<void> | null = null;

  beforeAll(async () => {
    app = await shareApp((body, call) => {
      const { content } = lastOf(body);
      if (content.startsWith('Wait')) return [hang()];
      if (content !== CODE || !silence) return [text(`Answer ${call}.`), finish()];
      silence.resolve();
      silence = null;
      return [hang()];
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    client = await app.client({ sub: newId() });
  });

  const bringIn = async (messages: object[], by = client, assistantKey = 'therese'): Promise<string> => {
    const { importConversation } = await by.get<{ importConversation: { id: string } }>(
      'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
      { input: { assistantKey, messages } },
    );
    return importConversation.id;
  };
  const contextOf = async (message: string, conversationId?: string, by = client): Promise<Context> =>
    (await by.get<{ memoryContext: Context }>(CONTEXT, { message, conversationId })).memoryContext;
  /** The newest conversation’s title, and the messages that a search finds. */
  const found = async (query: string): Promise<{ title: string | null; texts: string[] }> => {
    const { conversations, searchMessages } = await client.get<{
      conversations: { edges: { node: { title: string | null } }[] };
      searchMessages: { message: { text: string } }[];
    }>(
      `query ($query: String!) { conversations(first: 1) { edges { node { title } } }
         searchMessages(query: $query) { message { text } } }`,
      { query },
    );
    return {
      title: conversations.edges[0]?.node.title ?? null,
      texts: searchMessages.map(({ message }) => message.text),
    };
  };
  const told = ({ items }: Context): string[] =>
    items.filter(({ section }) => section === 'CONVERSATION').map((item) => item.text);

  it('are told from the moment they are imported, by day, with who said what', async () => {
    await bringIn(
      talk({
        '2023-05-08': ['I went to the pottery class yesterday.', 'How did you like the wheel?'],
        '2023-06-11': ['Our band played at a wedding.', 'Which songs?'],
      }),
    );
    const [excerpt] = told(await contextOf('When did Nadia go to the pottery class?'));
    expect(excerpt).toBe(
      'lundi 8 mai 2023\nNadia: I went to the pottery class yesterday.\nTom: How did you like the wheel?',
    );
  });

  it('are recalled by the day that a question names, though they share no word with it', async () => {
    const days = {
      '2023-05-08': ['Porto it is.', 'Agreed.'],
      '2023-06-11': ['The hall is booked.', 'Fine.'],
    };
    await bringIn(talk(days));
    expect((await contextOf('What did we decide on 8 May 2023?')).text).toContain('Porto it is.');
    expect((await contextOf('Qu’a-t-on décidé le 11 juin 2023 ?')).text).toContain('The hall is booked.');
  });

  it('are the member’s own alone', async () => {
    await bringIn(talk({ '2023-05-08': ['The safe opens with the opal key.', 'I see.'] }));
    const ben = await app.client({ sub: 'ben', role: 'MEMBER' });
    expect((await contextOf('What opens the safe?')).text).toContain('opal key');
    expect((await contextOf('What opens the safe?', undefined, ben)).text).not.toContain('opal');
  });

  it('with an assistant that recalls none are left alone', async () => {
    await bringIn(talk({ '2023-05-08': ['The safe opens with the opal key.', 'I see.'] }), client, 'solven');
    expect((await contextOf('What opens the safe?')).text).not.toContain('opal');
  });

  it('are gone once they are deleted', async () => {
    const id = await bringIn(talk({ '2023-05-08': ['The safe opens with the opal key.', 'I see.'] }));
    expect((await contextOf('What opens the safe?')).text).toContain('opal key');
    await client.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id });
    expect((await contextOf('What opens the safe?')).text).not.toContain('opal');
  });

  it('hold nothing that is withheld, neither by itself nor beside others', async () => {
    const id = await bringIn(
      talk({ '2023-05-08': ['What opens the safe?', 'The opal key.', 'I see, the safe.'] }),
    );
    expect((await contextOf('What opens the safe?')).text).toContain('opal key');
    await app.database.dataSource.query(
      "UPDATE message SET withheld = true WHERE conversation_id = $1 AND text = 'The opal key.'",
      [id],
    );
    // Another question: nothing has told the context's cache.
    const { text } = await contextOf('So what opens the safe?');
    expect(text).toContain('I see, the safe.');
    expect(text).not.toContain('opal');
  });

  it.each(['The heron code is opal. My card code is 4821.', "Don't remember this: the heron code is 4821."])(
    'hold nothing of what is off the record, nor of the answer to it: %s',
    async (message) => {
      const said = await client.ask(message, { assistantKey: 'therese' });
      await client.allEvents(said.turnId);
      const next = await client.ask('The heron lives by the lake.', { conversationId: said.conversationId });
      await client.allEvents(next.turnId);
      await bringIn(talk({ '2023-05-08': [message, 'The heron answers.', 'The heron flew.'] }));
      const { text: recalled } = await contextOf('What is the heron code? Answer!');
      expect(recalled).toContain('by the lake');
      expect(recalled).toContain('The heron flew.');
      expect(recalled).not.toMatch(/4821|The heron answers/);
      expect(recalled.match(/Answer \d+\./g)).toHaveLength(1);
    },
  );

  it('hold nothing of what the model is shown of the conversation itself', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `The opal key, part ${index}.`);
    const id = await bringIn(talk({ '2023-05-08': lines }));
    const excerpts = told(await contextOf('Where is the opal key?', id)).join('\n');
    const parts = [...excerpts.matchAll(/part (\d+)\./g)]
      .map(([, part]) => Number(part))
      .toSorted((a, b) => a - b);
    expect(parts).toEqual(Array.from({ length: 10 }, (_, index) => index));
  });

  it('take in what is said here, turn by turn', async () => {
    const first = await client.ask('The heron code is 4711.', { assistantKey: 'therese' });
    await client.allEvents(first.turnId);
    const text = (await contextOf('What is the heron code?')).text;
    expect(text).toMatch(/^\S+: The heron code is 4711\.$/m);
    // It is shown in its own conversation.
    expect((await contextOf('What is the heron code?', first.conversationId)).text).not.toContain('4711');
  });

  it('hold nothing of a question that was cancelled before it was answered', async () => {
    const { turnId, conversationId } = await client.ask('Wait: the heron code is 4711.', {
      assistantKey: 'therese',
    });
    await cancelTurn(client, turnId);
    const next = await client.ask('The heron lives by the lake.', { conversationId });
    await client.allEvents(next.turnId);
    const { text: recalled } = await contextOf('What is the heron code?');
    expect(recalled).toContain('by the lake');
    expect(recalled).not.toContain('4711');
  });

  const askInVain = async (): Promise<string> => {
    silence = Promise.withResolvers();
    const [{ turnId }] = await Promise.all([client.ask(CODE, { assistantKey: 'therese' }), silence.promise]);
    return turnId;
  };
  /** Has the question of a turn answered again; gives the id of the new turn. */
  const askAgain = async (turnId: string): Promise<string> => {
    const { turn } = await client.get<{ turn: { question: { id: string } } }>(
      'query ($id: ID!) { turn(id: $id) { question { id } } }',
      { id: turnId },
    );
    const input = { messageId: turn.question.id };
    return (await client.get<{ regenerate: StartTurnAnswer }>(REGENERATE, { input })).regenerate.turn!.id;
  };

  it('hold a question that was cancelled once it is answered after all', async () => {
    const turnId = await askInVain();
    await cancelTurn(client, turnId);
    expect(await found('flamingo')).toEqual({ title: CODE, texts: [] });
    await client.allEvents(await askAgain(turnId));
    expect(await found('flamingo')).toEqual({ title: CODE, texts: [CODE] });
    const { text: recalled } = await contextOf('What about the flamingo?');
    expect(recalled).toMatch(/flamingo code is 4711\.\n\S+: Answer/);
  });

  it('hold a question that was answered while its first turn went on in the background, until that was cancelled', async () => {
    const turnId = await askInVain();
    await app.database.dataSource.query('UPDATE turn SET background_at = now() WHERE id = $1', [turnId]);
    await client.allEvents(await askAgain(turnId));
    await cancelTurn(client, turnId);
    expect((await found('flamingo')).texts).toEqual([CODE]);
  });

  it('take in what a turn left that was cancelled, once the next one ends', async () => {
    const lost = await client.ask('The heron code is 4711.', { assistantKey: 'therese' });
    await client.allEvents(lost.turnId);
    await app.database.dataSource.query('UPDATE conversation SET indexed_until = NULL WHERE id = $1', [
      lost.conversationId,
    ]);
    await app.database.dataSource.query('DELETE FROM search_item WHERE group_id = $1', [lost.conversationId]);
    const next = await client.ask('And the stork?', { conversationId: lost.conversationId });
    await client.allEvents(next.turnId);
    expect((await contextOf('What is the heron code?')).text).toContain('4711');
  });
});

describe('yesterday', () => {
  it('is the day before the one on which it is asked', async () => {
    const clock = new ShiftedClock();
    await using app = await startApp((_, call) => [text(`Answer ${call}.`), finish()], {}, { clock });
    const client = await app.client();
    const day = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    await client.get(
      'mutation ($input: ImportConversationInput!) { importConversation(input: $input) { id } }',
      {
        input: {
          assistantKey: 'therese',
          messages: talk({ '2023-05-08': ['Lisbon it is.'], [day]: ['Porto it is.'] }),
        },
      },
    );
    const ask = async (message: string): Promise<string> =>
      (await client.get<{ memoryContext: Context }>(CONTEXT, { message })).memoryContext.text;
    expect(await ask('What did we agree upon yesterday?')).toContain('Porto it is.');
    expect(await ask('上星期我們說了什麼？')).not.toContain('Lisbon');
  });
});
