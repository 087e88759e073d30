import { finish, gate, hang, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { ProviderReply } from '@palabre/llm-client/scripted-provider.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import { ConversationsService } from '../../src/conversations/conversations.service.js';
import {
  ANY_CHANGED,
  DELETED,
  followChanges,
  LISTED,
  type ListedView,
  nextThat,
  ONE_CHANGED,
} from '../harness/conversation-changes.js';
import { isUpkeep } from '../harness/provider-request.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';
import { turnOf } from '../harness/turn-view.js';

const UPDATE = `mutation ($input: UpdateConversationInput!) { updateConversation(input: $input) { ${LISTED} } }`;
const LIST = `query ($first: Int, $after: String, $filter: ConversationFilter) {
  conversations(first: $first, after: $after, filter: $filter) {
    edges { node { ${LISTED} } } pageInfo { hasNextPage endCursor } } }`;
const ONE = `query ($id: ID!) { conversation(id: $id) { ${LISTED} updatedAt } }`;
const DELETE = 'mutation ($ids: [ID!]!) { deleteConversations(ids: $ids) }';

interface Page {
  edges: { node: ListedView }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

let app: TestApp;
let ada: TestClient;
let company: string;
let reply: (body: JsonObject) => ProviderReply;

beforeAll(async () => {
  app = await shareApp((body) => (isUpkeep(body) ? [finish()] : reply(body)));
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  reply = () => [text('Fine.'), finish()];
  company = await app.company();
  ada = await app.client({ company, role: 'MEMBER' });
});
afterEach(() => void vi.restoreAllMocks());

async function begin(message: string, assistantKey = 'mefali', client = ada): Promise<string> {
  const { turnId, conversationId } = await client.ask(message, { assistantKey });
  await client.allEvents(turnId);
  return conversationId;
}

async function update(input: object): Promise<ListedView> {
  return (await ada.get<{ updateConversation: ListedView }>(UPDATE, { input })).updateConversation;
}

async function list(filter?: object | null, page: object = {}): Promise<Page> {
  return (await ada.get<{ conversations: Page }>(LIST, { filter, ...page })).conversations;
}

async function titles(filter?: object | null): Promise<(string | null)[]> {
  return (await list(filter)).edges.map(({ node }) => node.title);
}

async function errorOf(query: string, variables: object, client = ada) {
  const { errors = [] }: GraphQLAnswer<unknown> = await client.send(query, variables);
  return errors.map(({ extensions }) => [extensions.code, extensions.path]);
}

describe('updateConversation', () => {
  it('names a conversation, puts it away and keeps it at hand, without moving it in the list', async () => {
    const id = await begin('one');
    const before = await ada.get<{ conversation: { updatedAt: string } }>(ONE, { id });
    expect(await update({ id, title: '  Un   titre ', archived: true, pinned: true })).toMatchObject({
      title: 'Un titre',
      archived: true,
      pinned: true,
    });
    expect(await update({ id, archived: false })).toMatchObject({
      title: 'Un titre',
      archived: false,
      pinned: true,
    });
    expect(await ada.get(ONE, { id })).toMatchObject({
      conversation: { updatedAt: before.conversation.updatedAt },
    });
  });

  it.each([
    [{ title: '' }, 'title'],
    [{ title: ' \u200B ' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: null }, 'title'],
    [{ archived: null }, 'archived'],
    [{ pinned: null }, 'pinned'],
  ])('refuses %j', async (changes, argument) => {
    const id = await begin('one');
    expect(await errorOf(UPDATE, { input: { id, ...changes } })).toEqual([
      ['BAD_USER_INPUT', ['input', argument]],
    ]);
    expect(await titles()).toEqual(['one']);
  });

  it('keeps the title that a person gave when its first question is edited', async () => {
    const spoken = Promise.withResolvers<void>();
    reply = () => [gate(spoken.promise), text('Fine.'), finish()];
    const { turnId, conversationId: id } = await ada.ask('one');
    const { title } = await update({ id, title: 'one' });
    expect(title).toBe('one');
    const told = await followChanges<ListedView>(ada, ONE_CHANGED, { id });
    spoken.resolve();
    await ada.allEvents(turnId);
    const { question } = await turnOf(ada, turnId);
    const edited = await ada.startTurn({ message: 'un', replacesMessageId: question.id });
    expect(edited.conversation).toMatchObject({ title: 'one' });
    await ada.allEvents(edited.turn!.id);
    await nextThat(told, ({ activeTurn, head }) => activeTurn === null && head?.text === 'Fine.');
    expect(await titles()).toEqual(['one']);
    await told.return();
  });
});

describe('the list of conversations', () => {
  it('leaves out what was put away, unless it is asked for', async () => {
    const [one] = [await begin('one'), await begin('two')];
    await update({ id: one, archived: true });
    for (const filter of [undefined, null, {}, { archived: false }]) {
      expect([filter, await titles(filter)]).toEqual([filter, ['two']]);
    }
    expect(await titles({ archived: true })).toEqual(['one']);
    expect(await titles({ archived: null })).toEqual(['two', 'one']);
  });

  it('is filtered by title, assistant and what is pinned, all together', async () => {
    const [first] = [
      await begin('Bilan de l’Été'),
      await begin('Bilan d’hiver', 'solven'),
      await begin('Autre'),
    ];
    await update({ id: first, pinned: true });
    expect(await titles({ text: 'ETE' })).toEqual(['Bilan de l’Été']);
    expect(await titles({ text: 'bilan' })).toEqual(['Bilan d’hiver', 'Bilan de l’Été']);
    expect(await titles({ text: 'bilan', assistantKey: 'solven' })).toEqual(['Bilan d’hiver']);
    expect(await titles({ pinned: true })).toEqual(['Bilan de l’Été']);
    expect(await titles({ pinned: false, text: 'bilan' })).toEqual(['Bilan d’hiver']);
    expect(await titles({ text: 'nowhere' })).toEqual([]);
    expect(await errorOf(LIST, { filter: { assistantKey: 'nobody' } })).toEqual([
      ['NOT_FOUND', ['filter', 'assistantKey']],
    ]);
    expect(await errorOf(LIST, { filter: { text: '' } })).toEqual([['BAD_USER_INPUT', ['filter', 'text']]]);
  });

  it('has the same pages under a filter', async () => {
    for (const title of ['x 1', 'y', 'x 2', 'x 3', 'z', 'x 4']) await begin(title);
    const seen: (string | null)[] = [];
    for (let after: string | null = null, isMore = true; isMore;) {
      const page: Page = await list({ text: 'x' }, { first: 1, after });
      seen.push(...page.edges.map(({ node }) => node.title));
      ({ endCursor: after, hasNextPage: isMore } = page.pageInfo);
    }
    expect(seen).toEqual(['x 4', 'x 3', 'x 2', 'x 1']);
  });
});

describe('searchMessages', () => {
  const SEARCH = `query ($query: String!, $first: Int) { searchMessages(query: $query, first: $first) {
    message { id text parent { id } } conversation { id title } excerpt score shown } }`;
  interface Hit {
    message: { id: string; text: string; parent: { id: string } | null };
    conversation: { id: string; title: string };
    excerpt: string;
    score: number;
    shown: boolean;
  }
  const search = async (query: string, client = ada, first?: number): Promise<Hit[]> =>
    (await client.get<{ searchMessages: Hit[] }>(SEARCH, { query, first })).searchMessages;

  // Thérèse recalls conversations, so hers are in the index; Mefali's are not.
  it.each(['therese', 'mefali'])('finds words in questions and answers, with %s', async (assistantKey) => {
    reply = () => [text('Les émissions de la ferme sont de 12 tonnes.'), finish()];
    const id = await begin('Et notre bilan annuel ?', assistantKey);
    const bea = await app.client({ company, sub: 'bea' });
    await begin('Le bilan des émissions de Béa', assistantKey, bea);
    const [best, other, ...rest] = await search('Émission des fermes, bilan');
    expect(rest).toEqual([]);
    expect(best).toMatchObject({
      conversation: { id },
      excerpt: 'Les «émissions» de la «ferme» sont de 12 tonnes.',
      shown: true,
    });
    expect(best!.message.parent).not.toBeNull();
    expect(other).toMatchObject({ excerpt: 'Et notre «bilan» annuel ?', shown: true });
    expect(best!.score).toBeGreaterThan(other!.score);
    expect(await search('xylophone')).toEqual([]);
    expect(await search('bilan', ada, 1)).toHaveLength(1);
    expect(await titles({ text: 'émissions ferme' })).toEqual(['Et notre bilan annuel ?']);
  });

  it.each(['therese', 'mefali'])(
    'tells that a message is in a branch that is not shown, with %s',
    async (assistantKey) => {
      const { turnId, conversationId } = await ada.ask('Un verger', { assistantKey });
      await ada.allEvents(turnId);
      const { question } = await turnOf(ada, turnId);
      const edited = await ada.startTurn({ message: 'Un potager', replacesMessageId: question.id });
      await ada.allEvents(edited.turn!.id);
      expect(await search('verger')).toMatchObject([
        { message: { id: question.id }, conversation: { id: conversationId }, shown: false },
      ]);
      expect(await search('potager')).toMatchObject([{ excerpt: 'Un «potager»', shown: true }]);
    },
  );

  it.each([
    [{ query: ' ' }, 'query'],
    [{ query: 'x'.repeat(201) }, 'query'],
    [{ query: 'x', first: 0 }, 'first'],
    [{ query: 'x', first: 51 }, 'first'],
  ])('refuses %j', async (variables, argument) => {
    expect(await errorOf(SEARCH, variables)).toEqual([['BAD_USER_INPUT', [argument]]]);
  });
});

describe('conversationChanged', () => {
  it('tells of each question, answer, path and flag, and completes when the conversation is deleted', async () => {
    const id = await begin('one');
    const told = await followChanges<ListedView>(ada, ONE_CHANGED, { id });
    const spoken = Promise.withResolvers<void>();
    reply = () => [gate(spoken.promise), text('Second.'), finish()];
    const { turnId } = await ada.ask('two', { conversationId: id });
    await nextThat(told, ({ head, activeTurn }) => head?.text === 'two' && activeTurn?.id === turnId);
    spoken.resolve();
    await nextThat(told, ({ head, activeTurn }) => head?.text === 'Second.' && activeTurn === null);
    const { question } = await turnOf(ada, turnId);
    reply = () => [text('Third.'), finish()];
    await ada.ask('deux', { replacesMessageId: question.id });
    await nextThat(told, ({ head }) => head?.text === 'Third.');
    await ada.get('mutation ($id: ID!) { selectMessage(id: $id) { id } }', { id: question.id });
    await nextThat(told, ({ head }) => head?.text === 'Second.');
    await update({ id, pinned: true, title: 'Deux' });
    expect(await nextThat(told, ({ pinned }) => pinned)).toMatchObject({ title: 'Deux' });
    // Another one is none of its business.
    const other = await begin('three');
    await update({ id: other, pinned: true });
    await ada.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id });
    for await (const { id: changed } of told) expect(changed).toBe(id);
  });

  it('is for one’s own alone', async () => {
    const id = await begin('one');
    const colleague = await app.client({ company, sub: 'bea' });
    for (const [client, unknown] of [
      [colleague, id],
      [ada, newId()],
      [ada, 'no-id'],
    ] as const) {
      const [answer] = await Array.fromAsync(
        client.socket().iterate({ query: ONE_CHANGED, variables: { id: unknown } }),
      );
      expect(answer?.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', path: ['id'] });
    }
  });
});

describe('conversationsChanged and conversationDeleted', () => {
  it('tell a side bar of new, changed and deleted ones, of one’s own alone', async () => {
    const bea = await app.client({ company, sub: 'bea' });
    const told = await followChanges<ListedView>(ada, ANY_CHANGED);
    const deleted = await followChanges<string>(ada, DELETED);
    await begin('not Ada’s', 'mefali', bea);
    const one = await begin('one');
    await nextThat(told, ({ id, head }) => {
      expect(id).toBe(one);
      return head?.text === 'Fine.';
    });
    const two = await begin('two');
    await nextThat(told, ({ id }) => id === two);
    await update({ id: one, archived: true });
    await nextThat(told, ({ id, archived }) => id === one && archived);
    await ada.get(DELETE, { ids: [two] });
    expect((await deleted.next()).value).toBe(two);
    await Promise.all([told.return(), deleted.return()]);
  });

  it('tell of an imported one, and release what they listen to when the client leaves', async () => {
    const { pubSub } = app.server.resources;
    const gone = Promise.withResolvers<void>();
    const subscribe = pubSub.subscribe.bind(pubSub);
    vi.spyOn(pubSub, 'subscribe').mockImplementation((topic, listener) => {
      const stop = subscribe(topic, listener);
      return () => {
        stop();
        gone.resolve();
      };
    });
    const told = await followChanges<ListedView>(ada, ANY_CHANGED);
    await ada.get(`mutation { importConversation(input: { assistantKey: "mefali", title: "Avant",
      messages: [{ role: USER, text: "Bonjour.", createdAt: "2024-01-01T00:00:00Z" }] }) { id } }`);
    expect((await told.next()).value).toMatchObject({ title: 'Avant' });
    await told.return();
    await gone.promise;
  });
});

describe('deleteConversations', () => {
  it('removes many with their turns under way, each once', async () => {
    reply = () => [hang()];
    const running = await ada.ask('one');
    reply = () => [text('Fine.'), finish()];
    const [two, three] = [await begin('two'), await begin('three')];
    const ids = [three, running.conversationId, three];
    expect(await ada.get(DELETE, { ids })).toEqual({ deleteConversations: [three, running.conversationId] });
    expect((await list()).edges.map(({ node }) => node.id)).toEqual([two]);
    expect(await ada.get(DELETE, { ids: [] })).toEqual({ deleteConversations: [] });
  });

  it('removes none when one of them is not there, and names it', async () => {
    const bea = await app.client({ company, sub: 'bea' });
    const foreign = await begin('not Ada’s', 'mefali', bea);
    const [one, two] = [await begin('one'), await begin('two')];
    for (const bad of [foreign, newId(), 'no-id']) {
      expect(await errorOf(DELETE, { ids: [one, bad, two] })).toEqual([['NOT_FOUND', ['ids', '1']]]);
    }
    expect(await errorOf(DELETE, { ids: Array.from({ length: 101 }, newId) })).toEqual([
      ['BAD_USER_INPUT', ['ids']],
    ]);
    expect(await titles()).toEqual(['two', 'one']);
  });

  it('leaves all where one of them fails in the middle', async () => {
    const ids = [await begin('one'), await begin('two'), await begin('three')];
    const remove = ConversationsService.prototype.delete;
    let calls = 0;
    vi.spyOn(ConversationsService.prototype, 'delete').mockImplementation(function (
      this: ConversationsService,
      ...given
    ) {
      calls += 1;
      return calls === 2 ? Promise.reject(new Error('Broken.')) : remove.apply(this, given);
    });
    expect(await ada.codes(DELETE, { ids })).toEqual(['INTERNAL']);
    expect(await titles()).toEqual(['three', 'two', 'one']);
  });
});
