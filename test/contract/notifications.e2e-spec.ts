import fc from 'fast-check';
import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import { type ProviderReply, status } from '@palabre/llm-client/scripted-provider.double.js';

import { AssistantRepository } from '../../src/companies/assistants/assistant.repository.js';
import { ShippedAssistants } from '../../src/companies/assistants/definitions/shipped-assistants.service.js';
import { AssistantsService } from '../../src/companies/assistants/assistants.service.js';
import { newId } from '../../src/common/ids.js';
import { CompanyRepository } from '../../src/companies/company.repository.js';
import { MemberRepository } from '../../src/companies/members/member.repository.js';
import { MembersService } from '../../src/companies/members/members.service.js';
import { ConversationRepository } from '../../src/conversations/conversation.repository.js';
import { ConversationsService } from '../../src/conversations/conversations.service.js';
import { MessageRepository } from '../../src/conversations/message.repository.js';
import { MessagePathRepository } from '../../src/conversations/message-path.repository.js';
import { MessageTreeRepository } from '../../src/conversations/message-tree.repository.js';
import { DomainEvents } from '../../src/platform/events/domain-events.js';
import type {
  NewNotification,
  NotificationsService,
} from '../../src/companies/notifications/notifications.service.js';
import type { PendingInput } from '../../src/conversations/turns/inputs/pending-input.entity.js';
import type { AskedSkills } from '../../src/conversations/turns/inputs/asked-skills.service.js';
import type { PendingInputRepository } from '../../src/conversations/turns/inputs/pending-input.repository.js';
import { TurnNotifications } from '../../src/conversations/turns/turn-notifications.service.js';
import { Turn } from '../../src/conversations/turns/turn.entity.js';
import { readStream } from '../harness/event-source.js';
import { inboxOf } from '../harness/inbox.js';
import { barrier, ScriptBook } from '../harness/script-book.js';
import {
  ADDED,
  follow,
  identityOf,
  LIST,
  nextBegun,
  type NotificationPage as Page,
  notificationsOf,
  take,
  titlesOf,
} from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { TestClient } from '../harness/test-client.js';

const MARK = `mutation ($id: ID!) { markNotificationRead(id: $id) { id readAt } }`;
const NODE = `query ($id: ID!) { node(id: $id) { __typename id ... on Notification { title turn { id } } } }`;

const book = new ScriptBook();

let app: TestApp;
let notifications: NotificationsService;
let company: string;
let companyId: string;
let ada: TestClient;
let adaId: string;

beforeAll(async () => {
  app = await shareApp(book.replyTo);
  notifications = inboxOf(app.server.resources);
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  company = await app.company();
  ada = await app.client({ company, role: 'MEMBER' });
  ({ id: adaId, companyId } = await identityOf(ada));
});
afterEach(() => void vi.restoreAllMocks());

function list(client: TestClient = ada, variables: object = {}): Promise<Page> {
  return notificationsOf(client, variables);
}

async function cursorOf(client: TestClient, id: string): Promise<string> {
  const { edges } = await list(client, { first: 100 });
  return edges.find(({ node }) => node.id === id)!.cursor;
}

function add(title: string, more: Partial<NewNotification> = {}): Promise<void> {
  return app.database.transaction(companyId, (tx) =>
    notifications.add(tx, {
      memberId: adaId,
      kind: 'TURN_COMPLETED',
      title,
      body: 'Body.',
      turnId: null,
      ...more,
    }),
  );
}

/** Tells how many listeners there are from now on, and when the last one has gone. */
function countListeners() {
  const { pubSub } = app.server.resources;
  const gone = Promise.withResolvers<void>();
  const counted = { open: 0, gone: gone.promise };
  const count = (stop: () => void): (() => void) => {
    counted.open += 1;
    return () => {
      stop();
      counted.open -= 1;
      if (counted.open === 0) gone.resolve();
    };
  };
  const subscribe = pubSub.subscribe.bind(pubSub);
  const onGap = pubSub.onGap.bind(pubSub);
  vi.spyOn(pubSub, 'subscribe').mockImplementation((topic, listener) => count(subscribe(topic, listener)));
  vi.spyOn(pubSub, 'onGap').mockImplementation((listener) => count(onGap(listener)));
  return counted;
}

describe('notifications', () => {
  it('are listed newest first, page by page', async () => {
    for (const title of ['1', '2', '3', '4', '5']) await add(title);
    const first = await list(ada, { first: 2 });
    expect(titlesOf(first)).toEqual(['5', '4']);
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    await add('6');
    const second = await list(ada, { first: 2, after: first.pageInfo.endCursor });
    expect(titlesOf(second)).toEqual(['3', '2']);
    const last = await list(ada, { first: 2, after: second.pageInfo.endCursor });
    expect(titlesOf(last)).toEqual(['1']);
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect(titlesOf(await list())).toEqual(['6', '5', '4', '3', '2', '1']);
  });

  it('are listed without those that were read, when asked for', async () => {
    for (const title of ['1', '2', '3', '4']) await add(title);
    const { edges } = await list();
    for (const { node } of [edges[0]!, edges[2]!]) await ada.get(MARK, { id: node.id });
    expect(titlesOf(await list(ada, { unreadOnly: true }))).toEqual(['3', '1']);
    const page = await list(ada, { unreadOnly: true, first: 1 });
    expect(titlesOf(page)).toEqual(['3']);
    expect(titlesOf(await list(ada, { unreadOnly: true, first: 1, after: page.pageInfo.endCursor }))).toEqual(
      ['1'],
    );
    for (const unreadOnly of [false, null]) expect((await list(ada, { unreadOnly })).edges).toHaveLength(4);
  });

  it.each([{ first: -1 }, { first: 101 }, { after: 'nonsense' }])('are not listed by %j', async (page) => {
    expect(await ada.codes(LIST, page)).toEqual(['BAD_USER_INPUT']);
  });

  it('are marked as read once: the first time stays', async () => {
    await add('1');
    const [{ node }] = (await list()).edges as [Page['edges'][number]];
    expect(node.readAt).toBeNull();
    const { markNotificationRead: first } = await ada.get<{
      markNotificationRead: Pick<Page['edges'][number]['node'], 'id' | 'readAt'>;
    }>(MARK, {
      id: node.id,
    });
    expect(first).toEqual({ id: node.id, readAt: expect.stringMatching(/Z$/) });
    expect(await ada.get(MARK, { id: node.id })).toEqual({ markNotificationRead: first });
  });

  it('are all marked as read at once, one’s own alone', async () => {
    const all = 'mutation { markAllNotificationsRead }';
    const bea = await app.client({ company, sub: 'bea', role: 'ADMIN' });
    await add('for bea', { memberId: (await identityOf(bea)).id });
    for (const title of ['1', '2', '3']) await add(title);
    const { edges } = await list();
    await ada.get(MARK, { id: edges[0]!.node.id });
    expect(await ada.get(all)).toEqual({ markAllNotificationsRead: 2 });
    expect(await ada.get(all)).toEqual({ markAllNotificationsRead: 0 });
    expect((await list(ada, { unreadOnly: true })).edges).toEqual([]);
    expect((await list(bea, { unreadOnly: true })).edges).toHaveLength(1);
  });

  it('are nobody else’s, in the company and out of it', async () => {
    await add('1');
    const [{ node }] = (await list()).edges as [Page['edges'][number]];
    const colleague = await app.client({ company, sub: 'bea', role: 'ADMIN' });
    const stranger = await app.client({ company: await app.company() });
    for (const other of [colleague, stranger]) {
      expect((await list(other)).edges).toEqual([]);
      expect(await other.codes(MARK, { id: node.id })).toEqual(['NOT_FOUND']);
      expect(await other.get(NODE, { id: node.id })).toEqual({ node: null });
    }
    for (const id of [newId(), 'nonsense', '']) expect(await ada.codes(MARK, { id })).toEqual(['NOT_FOUND']);
    expect((await list(ada, { unreadOnly: true })).edges).toHaveLength(1);
  });

  it('are found by node, with their turn, and go with its conversation', async () => {
    const { turnId, conversationId } = await ada.ask(book.add([text('Bonjour.'), finish()]));
    await ada.allEvents(turnId);
    await add('1', { turnId });
    const [{ node }] = (await list()).edges as [Page['edges'][number]];
    expect(node.turn).toEqual({ id: turnId, status: 'COMPLETED' });
    const found = { __typename: 'Notification', id: node.id, title: '1' };
    expect(await ada.get(NODE, { id: node.id })).toEqual({ node: { ...found, turn: { id: turnId } } });
    await ada.get('mutation ($id: ID!) { deleteConversation(id: $id) }', { id: conversationId });
    expect(await ada.get(NODE, { id: node.id })).toEqual({ node: null });
  });

  it('are erased with their member', async () => {
    await add('1');
    const count = () => app.database.transaction(companyId, (tx) => tx.query('SELECT id FROM notification'));
    expect(await count()).toHaveLength(1);
    await app.database.transaction(companyId, (tx) =>
      tx.query('DELETE FROM member WHERE company_id = $1 AND id = $2', [companyId, adaId]),
    );
    expect(await count()).toEqual([]);
  });

  it('are not stored for a member who is gone', async () => {
    await add('1', { memberId: newId() });
    expect((await list()).edges).toEqual([]);
  });
});

describe('notificationAdded', () => {
  it('tells each once, in the order of the list, and nothing of before', async () => {
    await add('before');
    const told = await follow(ada);
    await Promise.all(Array.from({ length: 30 }, (_, index) => add(String(index))));
    const seen = await take(told, 30);
    await add('last');
    expect((await take(told, 1))[0]).toMatchObject({ title: 'last' });
    expect([...seen.map(({ title }) => title).toReversed(), 'before']).toEqual(
      titlesOf(await list(ada, { first: 100 })).slice(1),
    );
    await told.return();
  });

  it('tells nothing of what was rolled back', async () => {
    const told = await follow(ada);
    const undone = app.database.transaction(companyId, async (tx) => {
      await notifications.add(tx, {
        memberId: adaId,
        kind: 'TURN_FAILED',
        title: 'never',
        body: '',
        turnId: null,
      });
      throw new Error('Undone.');
    });
    await expect(undone).rejects.toThrow('Undone.');
    await add('after');
    expect(await take(told, 1)).toMatchObject([{ title: 'after' }]);
    await told.return();
  });

  it('misses and repeats nothing over any number of connections, whatever is last seen by', async () => {
    /** So many are added before, during and after a connection, which takes some of what there is and ends. */
    const connection = fc.record({
      before: fc.nat(3),
      during: fc.nat(3),
      takes: fc.nat(5),
      after: fc.nat(2),
      byCursor: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { maxLength: 6 }), async (connections) => {
        const client = await app.client({ company, sub: newId(), role: 'MEMBER' });
        const { id: memberId } = await identityOf(client);
        let added = 0;
        const addSome = async (count: number): Promise<void> => {
          for (let one = 0; one < count; one += 1) await add(String((added += 1)), { memberId });
        };
        const seen: string[] = [];
        let last = '0';
        for (const { before, during, takes, after, byCursor } of connections) {
          await addSome(before);
          const told = await follow(client, last);
          await addSome(during);
          const got = await take(told, Math.min(takes, added - seen.length));
          await told.return();
          seen.push(...got.map(({ title }) => title));
          const newest = got.at(-1);
          if (newest) last = byCursor ? await cursorOf(client, newest.id) : newest.id;
          await addSome(after);
        }
        const told = await follow(client, last);
        seen.push(...(await take(told, added - seen.length)).map(({ title }) => title));
        await told.return();
        expect(seen).toEqual(Array.from({ length: added }, (_, index) => String(index + 1)));
      }),
      { numRuns: 15 },
    );
  });

  it('goes on after one that is gone, and refuses what is neither an id nor a cursor of the list', async () => {
    await add('1');
    await add('2');
    const [{ node: two }, { node: one }] = (await list()).edges as [
      Page['edges'][number],
      Page['edges'][number],
    ];
    await app.database.transaction(companyId, (tx) =>
      tx.query('DELETE FROM notification WHERE company_id = $1 AND id = $2', [companyId, one.id]),
    );
    const told = await follow(ada, one.id.toUpperCase());
    expect(await take(told, 1)).toMatchObject([{ id: two.id }]);
    await told.return();
    for (const after of ['', '1', 'nonsense', Buffer.from(`turns~${one.id}`).toString('base64url')]) {
      const [answer] = await Array.fromAsync(ada.socket().iterate({ query: ADDED, variables: { after } }));
      expect(answer?.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', path: ['after'] });
    }
  });

  it('is each member’s own', async () => {
    const bea = await app.client({ company, sub: 'bea', role: 'ADMIN' });
    const [adaTold, beaTold] = [await follow(ada), await follow(bea)];
    const { id: memberId } = await identityOf(bea);
    await add('for bea', { memberId });
    await add('for ada');
    expect(await take(adaTold, 1)).toMatchObject([{ title: 'for ada' }]);
    expect(await take(beaTold, 1)).toMatchObject([{ title: 'for bea' }]);
    await Promise.all([adaTold.return(), beaTold.return()]);
  });

  it('shows the turn as it is each time, however long the subscription lasts', async () => {
    const silent = barrier();
    const { turnId } = await ada.ask(book.add([silent.step, text('Bonjour.'), finish()]));
    await silent.reached;
    const told = await follow(ada);
    await add('under way', { turnId });
    expect(await take(told, 1)).toMatchObject([{ turn: { id: turnId, status: 'RUNNING' } }]);
    silent.open();
    await ada.allEvents(turnId);
    await add('over', { turnId });
    expect(await take(told, 1)).toMatchObject([{ turn: { id: turnId, status: 'COMPLETED' } }]);
    await told.return();
  });

  it('releases its listeners when the client leaves, over a socket and over an event stream', async () => {
    const counted = countListeners();
    const told = await follow(ada);
    expect(counted.open).toBe(2);
    const leaving = new AbortController();
    const begun = nextBegun();
    const response = await fetch(`${app.url}/graphql/stream`, {
      method: 'POST',
      signal: leaving.signal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${ada.token}`,
      },
      body: JSON.stringify({ query: ADDED }),
    });
    await begun;
    expect(counted.open).toBe(4);
    await add('hello');
    expect(await take(told, 1)).toMatchObject([{ title: 'hello' }]);
    for await (const { event, data } of readStream(response)) {
      if (event === 'comment') continue;
      expect(data).toMatchObject({ data: { notificationAdded: { title: 'hello' } } });
      break;
    }
    await told.return();
    leaving.abort();
    await counted.gone;
    expect(counted.open).toBe(0);
  });

  it('needs somebody who asks', async () => {
    await expect(app.clientWith(null).socket().iterate({ query: ADDED }).next()).rejects.toMatchObject({
      code: 4403,
    });
  });
});

describe('a turn in the background', () => {
  /** Has the turn that comes next in a conversation be one that was moved to the background. */
  const endInBackground = async (reply: ProviderReply, assistantKey = 'mefali') => {
    const silent = barrier();
    const first = await ada.ask(book.add([silent.step, text('First.'), finish()]), { assistantKey });
    await silent.reached;
    const { turnId } = await ada.ask(book.add(reply), { conversationId: first.conversationId });
    await app.database.transaction(companyId, (tx) =>
      tx.query('UPDATE turn SET background_at = now() WHERE company_id = $1 AND id = $2', [
        companyId,
        turnId,
      ]),
    );
    silent.open();
    await ada.allEvents(turnId);
    return turnId;
  };

  it('tells its member of the answer, and the turn before it, in the foreground, does not', async () => {
    const told = await follow(ada);
    const answer = 'Le bilan est prêt. '.repeat(20);
    const turnId = await endInBackground([text(answer), finish()]);
    const [seen] = await take(told, 1);
    expect(seen).toMatchObject({
      kind: 'TURN_COMPLETED',
      title: 'Mefali a répondu',
      turn: { id: turnId, status: 'COMPLETED' },
    });
    expect(seen!.body.length).toBeLessThanOrEqual(200);
    expect(answer.startsWith(seen!.body.slice(0, -1))).toBe(true);
    expect((await list()).edges.map(({ node }) => node)).toEqual([seen]);
    await told.return();
  });

  it('tells its member of the failure, in the language of the assistant', async () => {
    const turnId = await endInBackground([status(401)], 'solven');
    const [{ node }] = (await list()).edges as [Page['edges'][number]];
    expect(node).toMatchObject({
      kind: 'TURN_FAILED',
      title: 'Solven no ha podido responder',
      body: 'El proveedor del modelo rechaza la clave: la persona responsable tiene que comprobarla.',
      turn: { id: turnId, status: 'FAILED' },
    });
  });
});

describe('a question before a skill is carried out', () => {
  const tell = async (assistantKey: string, approvals: Pick<PendingInput, 'skill' | 'askerMayApprove'>[]) => {
    const { turnId } = await ada.ask(book.add([text('Bonjour.'), finish()]), { assistantKey });
    await ada.allEvents(turnId);
    const assistants = new ShippedAssistants(app.server.resources.plugins);
    const told = new TurnNotifications(
      notifications,
      new MembersService(
        app.database,
        new CompanyRepository(),
        new MemberRepository(),
        app.server.resources.pubSub,
      ),
      new ConversationsService(
        app.database,
        new ConversationRepository(),
        new MessageRepository(),
        new MessagePathRepository(),
        new MessageTreeRepository(),
        new DomainEvents(),
        app.server.resources.pubSub,
      ),
      new AssistantsService(app.database, new AssistantRepository(), assistants.all),
      {} as PendingInputRepository, // for the end of a turn alone
      {
        lookup: { listNames: async () => new Map([['send_report', 'Envoi du rapport']]) },
      } as unknown as AskedSkills,
      new DomainEvents(),
    );
    await app.database.transaction(companyId, async (tx) => {
      const turn = await tx.selectOne(Turn, 'company_id = $1 AND id = $2', [companyId, turnId]);
      await told.notifyAsked(
        tx,
        turn!,
        approvals.map((approval) => ({ ...approval, id: newId(), kind: 'APPROVAL' }) as PendingInput),
      );
    });
    return turnId;
  };

  const nodes = async (client: TestClient) => (await list(client)).edges.map(({ node }) => node);

  it('is told to admins and operators as they were last seen, once for all skills', async () => {
    const [bea, eve, old] = await Promise.all([
      app.client({ company, sub: 'bea', role: 'ADMIN' }),
      app.client({ company, sub: 'eve', role: 'OPERATOR' }),
      app.client({ company, sub: 'old', role: 'ADMIN' }),
    ]);
    for (const client of [bea, eve, old]) await identityOf(client);
    const demoted = await app.client({ company, sub: 'old', role: 'MEMBER' });
    await identityOf(demoted);
    await tell('mefali', [
      { skill: 'update_company_profile', askerMayApprove: false },
      { skill: 'send_report', askerMayApprove: false },
    ]);
    for (const client of [bea, eve]) {
      expect(await nodes(client)).toEqual([
        {
          id: expect.any(String),
          kind: 'APPROVAL_REQUESTED',
          title: 'Mefali demande une autorisation',
          body: 'À autoriser ou à refuser pour ada : update_company_profile, Envoi du rapport',
          readAt: null,
          createdAt: expect.any(String),
          turn: null,
        },
      ]);
    }
    for (const client of [ada, demoted]) expect(await nodes(client)).toEqual([]);
  });

  it('is told to the asker too, of the skills that they may allow', async () => {
    const turnId = await tell('bibliotheque', [
      { skill: 'update_company_profile', askerMayApprove: true },
      { skill: 'send_report', askerMayApprove: false },
    ]);
    expect(await nodes(ada)).toMatchObject([
      { body: '待允許或拒絕：update_company_profile', turn: { id: turnId } },
    ]);
  });

  it('is told once to an asker who is an admin', async () => {
    ada = await app.client({ company, role: 'ADMIN' });
    await identityOf(ada);
    await tell('mefali', [{ skill: 'update_company_profile', askerMayApprove: true }]);
    expect(await nodes(ada)).toHaveLength(1);
  });
});
