import fc from 'fast-check';
import { finish, gate, hang, text, toolCall } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import {
  carryOut,
  type MessageView,
  REGENERATE,
  SELECT,
  SHOWN,
  type Shown,
  Tree,
  treeStep,
} from '../harness/message-tree.js';
import { isUpkeep, lastOf, spokenIn, systemOf } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { StartTurnAnswer, TestClient } from '../harness/test-client.js';
import { cancelTurn, turnOf } from '../harness/turn-view.js';

const TITLE = 'query ($id: ID!) { conversation(id: $id) { title } }';

let app: TestApp;
let ada: TestClient;
let reply: (body: JsonObject) => ProviderReply;
/** What the model was sent in the order of the questions, without what is asked of it after turns. */
let prompts: string[][];

beforeAll(async () => {
  app = await shareApp((body) => {
    if (isUpkeep(body)) return [finish()];
    prompts.push(spokenIn(body));
    return reply(body);
  });
  ada = await app.client();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(() => {
  prompts = [];
  let answers = 0;
  reply = () => [text(`answer ${(answers += 1)}`), finish()];
});

async function ask(message: string, input: object): Promise<{ turnId: string; conversationId: string }> {
  const asked = await ada.ask(message, input);
  await ada.allEvents(asked.turnId);
  return asked;
}

async function startRegenerate(input: object): Promise<StartTurnAnswer> {
  return (await ada.get<{ regenerate: StartTurnAnswer }>(REGENERATE, { input })).regenerate;
}

async function regenerate(messageId: string): Promise<string> {
  const { turn } = await startRegenerate({ messageId });
  await ada.allEvents(turn!.id);
  return turn!.id;
}

async function shown(id: string, leaf: string | null = null): Promise<MessageView[]> {
  const { conversation } = await ada.get<Shown>(SHOWN, { id, leaf, first: 100 });
  const messages = conversation.messages.edges.map(({ node }) => node);
  if (leaf === null) expect(conversation.head?.id).toBe(messages.at(-1)?.id);
  return messages;
}

async function textsOf(id: string, leaf: string | null = null): Promise<string[]> {
  return (await shown(id, leaf)).map((message) => message.text);
}

/** Where a message with this text stands in what is shown. */
async function idOf(conversationId: string, said: string): Promise<string> {
  const found = (await shown(conversationId)).find((message) => message.text === said);
  if (!found) throw new Error(`Nobody said ${said}`);
  return found.id;
}

describe('a question that is edited', () => {
  it('is another version of it, and what followed it stays in the other branch', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    await ask('two', { conversationId: id });
    const two = await idOf(id, 'two');
    await ask('deux', { conversationId: id, replacesMessageId: two });
    expect(await textsOf(id)).toEqual(['one', 'answer 1', 'deux', 'answer 3']);
    expect(prompts.at(-1)).toEqual(['user: one', 'assistant: answer 1', 'user: deux']);
    expect(await textsOf(id, two)).toEqual(['one', 'answer 1', 'two']);
    const [, , edited] = await shown(id);
    expect(edited!.versions.map((version) => version.id)).toEqual([two, edited!.id]);
  });

  it('may be the first one, which begins the conversation anew, with a title of its own', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const one = await idOf(id, 'one');
    const { turn, conversation } = await ada.startTurn({ message: 'un', replacesMessageId: one });
    expect(conversation).toEqual({ id, title: 'un' });
    await ada.allEvents(turn!.id);
    const [un] = await shown(id);
    expect([un!.parent, un!.versions]).toEqual([null, [{ id: one }, { id: un!.id }]]);
    expect(await ada.get(TITLE, { id })).toEqual({ conversation: { title: 'un' } });
  });

  it('takes the title back that was made of it when it is cancelled, shown or not', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const one = await idOf(id, 'one');
    const open = Promise.withResolvers<void>();
    reply = () => [gate(open.promise), text('late'), finish()];
    const { turnId } = await ada.ask('un', { conversationId: id, replacesMessageId: one });
    await ada.get(SELECT, { id: one });
    await cancelTurn(ada, turnId);
    expect(await ada.get(TITLE, { id })).toEqual({ conversation: { title: 'one' } });
  });

  it('stands after an answer that is still to come, as the question that it replaces does', async () => {
    const open = Promise.withResolvers<void>();
    reply = (body) =>
      lastOf(body).content === 'one'
        ? [text('first'), gate(open.promise), finish()]
        : [text('second'), finish()];
    const first = await ada.ask('one', { assistantKey: 'mefali' });
    const id = first.conversationId;
    const waiting = await ada.ask('two', { conversationId: id });
    const two = await idOf(id, 'two');
    const edited = await ada.ask('deux', { conversationId: id, replacesMessageId: two });
    open.resolve();
    await Promise.all([first, waiting, edited].map(({ turnId }) => ada.allEvents(turnId)));
    expect(await textsOf(id)).toEqual(['one', 'first', 'deux', 'second']);
    expect(prompts.at(-1)).toEqual(['user: one', 'assistant: first', 'user: deux']);
  });
});

describe('an answer that is asked for again', () => {
  it('stands beside the one before, and the next question follows it', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const first = await idOf(id, 'answer 1');
    await regenerate(first);
    await ask('two', { conversationId: id });
    expect(await textsOf(id)).toEqual(['one', 'answer 2', 'two', 'answer 3']);
    expect(prompts).toEqual([
      ['user: one'],
      ['user: one'],
      ['user: one', 'assistant: answer 2', 'user: two'],
    ]);
    const [one, second] = await shown(id);
    expect(second!.versions).toEqual([{ id: first }, { id: second!.id }]);
    expect(one!.versions).toEqual([{ id: one!.id }]);
  });

  it('leaves the one before shown when it is cancelled before anything was said', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const open = Promise.withResolvers<void>();
    reply = () => [gate(open.promise), text('late'), finish()];
    const { turn } = await startRegenerate({ messageId: await idOf(id, 'one') });
    expect(await textsOf(id)).toEqual(['one']);
    await cancelTurn(ada, turn!.id);
    expect(await textsOf(id)).toEqual(['one', 'answer 1']);
    expect((await shown(id))[1]!.versions).toHaveLength(1);
  });

  it('gives up its place to a question that interrupts it, which follows what was shown before', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const open = Promise.withResolvers<void>();
    reply = (body) =>
      lastOf(body).content === 'two'
        ? [gate(open.promise), text('late'), finish()]
        : [text('answer 2'), finish()];
    const two = await ada.ask('two', { conversationId: id });
    await startRegenerate({ messageId: await idOf(id, 'one') });
    const { turnId } = await ada.ask('three', { conversationId: id, whenBusy: 'INTERRUPT' });
    await Promise.all([two.turnId, turnId].map((started) => ada.allEvents(started)));
    expect(await textsOf(id)).toEqual(['one', 'answer 1', 'two', 'three', 'answer 2']);
  });

  it('gives up its place, when it is cancelled, to a question in line, which follows what was shown before', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    reply = (body) => (lastOf(body).content === 'two' ? [text('answer 2'), finish()] : [hang()]);
    const { turn } = await startRegenerate({ messageId: await idOf(id, 'answer 1') });
    const { turnId } = await ada.ask('two', { conversationId: id });
    await cancelTurn(ada, turn!.id);
    await ada.allEvents(turnId);
    expect(await textsOf(id)).toEqual(['one', 'answer 1', 'two', 'answer 2']);
    expect(prompts.at(-1)).toEqual(['user: one', 'assistant: answer 1', 'user: two']);
  });

  it('gives up its place, while the answer before it still comes, to a question in line, which follows that', async () => {
    const open = Promise.withResolvers<void>();
    reply = (body) =>
      lastOf(body).content === 'one'
        ? [gate(open.promise), text('first'), finish()]
        : [text('last'), finish()];
    const one = await ada.ask('one', { assistantKey: 'mefali' });
    const id = one.conversationId;
    const question = await idOf(id, 'one');
    const again = await startRegenerate({ messageId: question });
    const onceMore = await startRegenerate({ messageId: question });
    const last = await ada.ask('two', { conversationId: id });
    await cancelTurn(ada, onceMore.turn!.id);
    expect(await textsOf(id)).toEqual(['one', 'two']);
    await cancelTurn(ada, again.turn!.id);
    expect(await textsOf(id)).toEqual(['one', 'two']);
    open.resolve();
    await Promise.all([one, last].map(({ turnId }) => ada.allEvents(turnId)));
    expect(await textsOf(id)).toEqual(['one', 'first', 'two', 'last']);
    expect(prompts).toEqual([['user: one'], ['user: one', 'assistant: first', 'user: two']]);
  });

  it('gives up its place to a question in line, which follows one that is still to be answered', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const open = Promise.withResolvers<void>();
    reply = (body) =>
      lastOf(body).content === 'two'
        ? [gate(open.promise), text('second'), finish()]
        : [text('last'), finish()];
    const two = await ada.ask('two', { conversationId: id });
    const { turn } = await startRegenerate({ messageId: await idOf(id, 'one') });
    const three = await ada.ask('three', { conversationId: id });
    expect(await textsOf(id)).toEqual(['one', 'three']);
    await cancelTurn(ada, turn!.id);
    open.resolve();
    await Promise.all([two, three].map(({ turnId }) => ada.allEvents(turnId)));
    expect(await textsOf(id)).toEqual(['one', 'answer 1', 'two', 'second', 'three', 'last']);
  });

  it('leaves another one that is still to come shown when it is cancelled', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const open = Promise.withResolvers<void>();
    reply = () => [gate(open.promise), text('second'), finish()];
    const messageId = await idOf(id, 'one');
    const again = await startRegenerate({ messageId });
    const { turn } = await startRegenerate({ messageId });
    await cancelTurn(ada, turn!.id);
    open.resolve();
    await ada.allEvents(again.turn!.id);
    expect(await textsOf(id)).toEqual(['one', 'second']);
  });

  it('is the same turn for the same idempotency key', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const [one, first] = await shown(id);
    const input = { messageId: one!.id, idempotencyKey: newId() };
    const answers = await Promise.all([startRegenerate(input), startRegenerate(input)]);
    expect(answers[0]!.turn!.id).toBe(answers[1]!.turn!.id);
    expect(await startRegenerate({ ...input, messageId: first!.id })).toMatchObject({
      __typename: 'IdempotencyConflict',
      firstTurn: { id: answers[0]!.turn!.id },
    });
    await ada.allEvents(answers[0]!.turn!.id);
  });
});

describe('a message that is selected while an answer is still to come', () => {
  it('is followed by that where it is the question, and by nothing of it where it is another answer', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const [one, first] = [await idOf(id, 'one'), await idOf(id, 'answer 1')];
    const open = Promise.withResolvers<void>();
    reply = () => [gate(open.promise), text('second'), finish()];
    const { turn } = await startRegenerate({ messageId: one });
    await ada.get(SELECT, { id: first });
    expect(await textsOf(id)).toEqual(['one', 'answer 1']);
    await ada.get(SELECT, { id: one });
    expect(await textsOf(id)).toEqual(['one']);
    open.resolve();
    await ada.allEvents(turn!.id);
    expect(await textsOf(id)).toEqual(['one', 'second']);
  });
});

describe('an answer that is asked for from another assistant', () => {
  const WHO = 'query ($id: ID!) { turn(id: $id) { assistant { key } conversation { assistant { key } } } }';

  it('is that one’s, and the conversation’s own assistant answers what follows', async () => {
    const systems: string[] = [];
    reply = (body) => {
      systems.push(systemOf(body));
      return [text(`answer ${systems.length}`), finish()];
    };
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const { turn } = await startRegenerate({ messageId: await idOf(id, 'answer 1'), assistantKey: 'solven' });
    await ada.allEvents(turn!.id);
    const next = await ask('two', { conversationId: id });
    expect(await textsOf(id)).toEqual(['one', 'answer 2', 'two', 'answer 3']);
    expect(prompts.at(-1)).toEqual(['user: one', 'assistant: answer 2', 'user: two']);
    expect(systems.map((system) => /Mefali|Solven/.exec(system)?.[0])).toEqual([
      'Mefali',
      'Solven',
      'Mefali',
    ]);
    const whoOf = async (turnId: string) => (await ada.get<{ turn: object }>(WHO, { id: turnId })).turn;
    const conversation = { assistant: { key: 'mefali' } };
    expect(await whoOf(turn!.id)).toEqual({ assistant: { key: 'solven' }, conversation });
    expect(await whoOf(next.turnId)).toEqual({ assistant: { key: 'mefali' }, conversation });
    const byOf = async (assistantKey: string): Promise<string[]> => {
      const { turns } = await ada.get<{ turns: { edges: { node: { id: string } }[] } }>(
        'query ($filter: TurnFilter) { turns(first: 100, filter: $filter) { edges { node { id } } } }',
        { filter: { assistantKey } },
      );
      return turns.edges.map(({ node }) => node.id);
    };
    expect(await byOf('solven')).toContain(turn!.id);
    expect(await byOf('mefali')).not.toContain(turn!.id);
    expect(await byOf('mefali')).toContain(next.turnId);
  });

  it('is refused where there is none of that key: nothing changes', async () => {
    const { conversationId: id } = await ask('one', { assistantKey: 'mefali' });
    const before = await shown(id);
    const input = { messageId: before[1]!.id, assistantKey: 'nobody' };
    const { errors } = await ada.send(REGENERATE, { input });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', argument: 'input.assistantKey' } }]);
    expect(await shown(id)).toEqual(before);
  });
});

describe('what was learned in a branch', () => {
  it('is told to nobody while another one is shown, and again when it is', async () => {
    const bob = await app.client({ sub: newId(), role: 'MEMBER' });
    const told = async (message: string): Promise<string> => {
      const { turnId } = await bob.ask(message, { assistantKey: 'therese' });
      await bob.allEvents(turnId);
      return prompts.at(-1)!.join('\n');
    };
    const said = 'My cat is called Zephyr.';
    reply = (body) =>
      lastOf(body).content === said
        ? [toolCall('remember', { kind: 'FACT', subject: 'cat', content: said }), finish()]
        : [text('Noted.'), finish()];
    const { turnId } = await bob.ask(said, { assistantKey: 'therese' });
    await bob.allEvents(turnId);
    expect(await told('What is my cat called?')).toContain('Zephyr');

    const { question } = await turnOf(bob, turnId);
    await bob.startTurn({ message: 'My dog barks.', replacesMessageId: question.id });
    expect(await told('What is my cat called?')).not.toContain('Zephyr');

    await bob.get(SELECT, { id: question.id });
    expect(await told('What is my cat called?')).toContain('Zephyr');
  });

  it('is not told to a turn of another one that is shown no longer', async () => {
    const bob = await app.client({ sub: newId(), role: 'MEMBER' });
    const [fact, wanted] = ['My cat is called Zephyr.', 'What is my cat called?'];
    const selected = Promise.withResolvers<void>();
    const recalled: string[] = [];
    reply = (body) => {
      const last = lastOf(body);
      if (last.content === fact)
        return [toolCall('remember', { kind: 'FACT', subject: 'cat', content: fact }), finish()];
      if (last.content === wanted)
        return [gate(selected.promise), toolCall('recall', { query: 'cat called' }), finish()];
      if (last.role === 'tool') recalled.push(JSON.stringify(body['messages']));
      return [text('Well.'), finish()];
    };
    const first = await bob.ask('My dog barks.', { assistantKey: 'therese' });
    await bob.allEvents(first.turnId);
    const dog = (await turnOf(bob, first.turnId)).question.id;
    const learnt = await bob.startTurn({ message: fact, replacesMessageId: dog });
    await bob.allEvents(learnt.turn!.id);
    const cat = (await turnOf(bob, learnt.turn!.id)).question.id;
    recalled.length = 0;

    await bob.get(SELECT, { id: dog });
    const asked = await bob.ask(wanted, { conversationId: first.conversationId });
    await bob.get(SELECT, { id: cat });
    selected.resolve();
    await bob.allEvents(asked.turnId);
    expect(recalled).toHaveLength(1);
    expect(recalled[0]).not.toContain('Zephyr');
  });
});

describe('what cannot be asked for', () => {
  it.each<[string, (ids: { answer: string; elsewhere: string; here: string }) => object, object]>([
    [
      'a parent in another conversation',
      ({ here, elsewhere }) => ({ conversationId: here, parentId: elsewhere }),
      { code: 'NOT_FOUND', argument: 'input.parentId' },
    ],
    [
      'a version of what is in another conversation',
      ({ here, elsewhere }) => ({ conversationId: here, replacesMessageId: elsewhere }),
      { code: 'NOT_FOUND', argument: 'input.replacesMessageId' },
    ],
    [
      'a version of an answer',
      ({ here, answer }) => ({ conversationId: here, replacesMessageId: answer }),
      { code: 'BAD_USER_INPUT', argument: 'input.replacesMessageId' },
    ],
    [
      'both a parent and a version',
      ({ here, answer }) => ({ conversationId: here, parentId: answer, replacesMessageId: answer }),
      { code: 'BAD_USER_INPUT', argument: 'input.parentId' },
    ],
    ['no id', () => ({ parentId: 'none' }), { code: 'NOT_FOUND', argument: 'input.parentId' }],
  ])('is %s: nothing changes', async (_, inputOf, extensions) => {
    const { conversationId: here } = await ask('one', { assistantKey: 'mefali' });
    const other = await ask('else', { assistantKey: 'mefali' });
    const elsewhere = await idOf(other.conversationId, 'else');
    const before = await shown(here);
    const input = { message: 'two', ...inputOf({ answer: before[1]!.id, elsewhere, here }) };
    const { errors } = await ada.send(
      'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
      { input },
    );
    expect(errors).toMatchObject([{ extensions }]);
    expect(await shown(here)).toEqual(before);
  });

  it('is a path to a message of another conversation', async () => {
    const [{ conversationId: id }, other] = await Promise.all([
      ask('one', { assistantKey: 'mefali' }),
      ask('else', { assistantKey: 'mefali' }),
    ]);
    const leaf = await idOf(other.conversationId, 'else');
    const { errors } = await ada.send(SHOWN, { id, leaf, first: 1 });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', argument: 'leaf' } }]);
  });
});

describe('the tree of a conversation', () => {
  /** What the answer to the question is made of, so that each can be told by its text. */
  const answerTo = (body: JsonObject): ProviderReply => [
    text(`re ${lastOf(body).content} ${prompts.length}`),
    finish(),
  ];

  const treeSteps = fc.array(treeStep, { minLength: 3, maxLength: 10 });

  it('is told to the model by the path alone, and shown by any path', async () => {
    await fc.assert(
      fc.asyncProperty(treeSteps, fc.nat(), async (all, pick) => {
        reply = answerTo;
        const { conversationId } = await ask('question', { assistantKey: 'mefali' });
        const tree = new Tree(await shown(conversationId));
        for (const [at, step] of all.entries()) {
          const before = prompts.length;
          const expected = await carryOut(tree, conversationId, step, at, {
            ask: async (message, input) => void (await ask(message, input)),
            regenerate: async (messageId) => void (await regenerate(messageId)),
            select: async (messageId) => void (await ada.get(SELECT, { id: messageId })),
            shown: () => shown(conversationId),
          });
          if (expected) expect(prompts[before]).toEqual(expected);
        }

        expect(await shown(conversationId)).toEqual(tree.viewOf(tree.head));
        const leaf = tree.nodes[pick % tree.nodes.length]!.id;
        expect(await shown(conversationId, leaf)).toEqual(tree.viewOf(leaf));
        const pages: MessageView[] = [];
        for (let after: string | null = null; ;) {
          const { conversation }: Shown = await ada.get<Shown>(SHOWN, {
            id: conversationId,
            leaf,
            first: 3,
            after,
          });
          pages.push(...conversation.messages.edges.map(({ node }) => node));
          after = conversation.messages.edges.at(-1)?.cursor ?? null;
          if (conversation.messages.edges.length < 3) break;
        }
        expect(pages).toEqual(tree.viewOf(leaf));
      }),
      { numRuns: 12 },
    );
  });
});
