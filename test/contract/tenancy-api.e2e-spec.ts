import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import type { Client } from 'graphql-ws';

import { newId } from '../../src/common/ids.js';
import type { Role } from '../../src/companies/auth/viewer.js';
import {
  byId,
  changes,
  changesNothing,
  IMPORT,
  ofTheInstallation,
  shows,
} from '../harness/api-operations.js';
import { pendingOf } from '../harness/approval-view.js';
import { byKey, keyArguments, withNewKey } from '../harness/key-operations.js';
import type { TestClient } from '../harness/test-client.js';
import { QUESTION, type Row, TwoCompanies } from '../harness/two-companies.js';

const COPY = `mutation {
  copyAssistant(key: "mefali", newKey: "assistant_of_ours", name: "Copie") { id } }`;

let companies: TwoCompanies;
let ours: string;
/** Every row of ours, as it was last seen. */
let known: Row[][];
let ada: TestClient;
let abel: TestClient;
let awa: TestClient;
let bob: TestClient;
let olga: TestClient;

beforeAll(async () => {
  companies = await TwoCompanies.start();
  ({ ours } = companies);
  ({ ada, abel, awa, bob, olga } = companies.people);
  for (const client of [awa, bob, olga]) {
    const { importConversation } = await client.get<{ importConversation: { id: string } }>(IMPORT);
    ownConversations.set(client, importConversation.id);
  }
  await ada.get(COPY);
  known = await companies.everything(ours);
});
afterAll(() => companies[Symbol.asyncDispose]());

/** A conversation of everybody's own, for what takes an id besides it. */
const ownConversations = new Map<TestClient, string>();

const sockets = new Map<TestClient, Client>();

/** One for all that `client` subscribes to: it stays open in between. */
function socketOf(client: TestClient): Client {
  const socket = sockets.get(client) ?? client.socket({ lazy: false });
  sockets.set(client, socket);
  return socket;
}

/** What `client` is answered, with the id taken out of it. */
async function answerTo(client: TestClient, argument: string, id: string): Promise<string> {
  const [query, variables] = byId[argument]!(id, ownConversations.get(client));
  const answers = argument.startsWith('Subscription.')
    ? await Array.fromAsync(socketOf(client).iterate({ query, variables }))
    : [await client.send(query, variables)];
  return JSON.stringify(answers).replaceAll(JSON.stringify(id), '"the id"');
}

function oneOfEachTable<T extends { table: string }>(ids: readonly T[]): T[] {
  return [...new Map(ids.map((one) => [one.table, one])).values()];
}

/** Nothing that has been done since this was called last has changed a row of ours. */
async function expectOursUntouched(): Promise<void> {
  const before = known;
  known = await companies.everything(ours);
  expect(known).toEqual(before);
}

describe('an id', () => {
  it.each(Object.keys(byId))('of another company is like one that never was: %s', async (argument) => {
    const all = companies.idsIn(known);
    // Where only one kind of thing is looked for, a second row of a table is like the first.
    const ids = argument === 'Query.node(id)' ? all : oneOfEachTable(all);
    for (const stranger of [bob, olga]) {
      const absent = await answerTo(stranger, argument, newId());
      expect(absent).toMatch(/"code":"NOT_FOUND"|"data":\{"\w+":null\},"httpStatus":200/);
      const answers = ids.map(async ({ table, id }) => [table, await answerTo(stranger, argument, id)]);
      expect(await Promise.all(answers)).toEqual(ids.map(({ table }) => [table, absent]));
    }
    await expectOursUntouched();
  });

  it.each(Object.keys(byId))('that cannot be one is like one that never was: %s', async (argument) => {
    const absent = await answerTo(bob, argument, newId());
    const noIds = ['no-id', ' ', '\0', "' OR true --", '00', '{00000000-0000-0000-0000-000000000000}', 'é'];
    for (const id of noIds) expect([id, await answerTo(bob, argument, id)]).toEqual([id, absent]);
  });
});

/** Somebody of a company that has nothing but what every one has, and a message of theirs. */
async function newcomer(role: Role): Promise<{ client: TestClient; message: string }> {
  const client = await companies.app.client({ company: await companies.app.company(), sub: 'noa', role });
  const { importConversation } = await client.get<{
    importConversation: { messages: { edges: { node: { id: string } }[] } };
  }>(IMPORT.replace('{ id }', '{ messages(first: 1) { edges { node { id } } } }'));
  return { client, message: importConversation.messages.edges[0]!.node.id };
}

/** A key of the same kind that nothing has: the same letters, but for the last. */
function absentLike(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('q') ? 'z' : 'q'}`;
}

describe('a key', () => {
  /** That something of ours has, and nothing of those who have just come. */
  let keys: string[];

  beforeAll(async () => {
    const { client } = await newcomer('ADMIN');
    const { viewer } = await client.get<{ viewer: { company: { id: string } } }>(
      '{ viewer { company { id } } }',
    );
    const shared = companies.keysIn(await companies.everything(viewer.company.id));
    const { skills } = await client.get<{ skills: { key: string }[] }>('{ skills { key } }');
    for (const { key } of skills) shared.add(key);
    keys = [...companies.keysIn(known).difference(shared)];
  });

  it('is there for an assistant, a pack, a skill, a server and a provider of ours', () => {
    expect(keys).toEqual(expect.arrayContaining(['assistant_of_ours', 'acta', 'get_item', 'stock', 'ours']));
  });

  it('is tried wherever the API takes one', async () => {
    const schema = buildClientSchema(await ada.get<IntrospectionQuery>(getIntrospectionQuery()));
    expect(Object.keys({ ...byKey, ...withNewKey }).toSorted()).toEqual(keyArguments(schema).toSorted());
  });

  describe.each(['ADMIN', 'OPERATOR'] as const)('for somebody else’s %s', (role) => {
    /** Who asks in vain has as little afterwards as before. */
    let asker: Awaited<ReturnType<typeof newcomer>>;

    beforeAll(async () => {
      asker = await newcomer(role);
    });

    it.each(Object.keys({ ...byKey, ...withNewKey }))(
      'is like one that nothing has: %s',
      async (argument) => {
        const { client, message } = argument in byKey ? asker : await newcomer(role);
        const answerTo = async (key: string): Promise<string> => {
          const operation = (byKey[argument] ?? withNewKey[argument])!;
          const answer = JSON.stringify(await client.send(...operation(key, message)));
          return answer.replaceAll(new RegExp(`\\b${key}\\b`, 'g'), 'the key');
        };
        for (const key of keys) {
          const absent = await answerTo(absentLike(key));
          if (argument in byKey)
            expect(absent).toMatch(/"code":"(NOT_FOUND|BAD_USER_INPUT)"|"data":\{"\w+":null\}/);
          expect([key, await answerTo(key)]).toEqual([key, absent]);
        }
        await expectOursUntouched();
      },
    );
  });
});

describe('what is asked for without an id', () => {
  it.each(Object.keys(shows))('shows a company to its own alone: %s', async (field) => {
    const query = shows[field]!;
    const ids = companies.idsIn(known).map(({ id }) => id);
    const namesUs = async (viewer: TestClient): Promise<boolean> => {
      const shown = JSON.stringify(await viewer.get(query));
      return ids.some((id) => shown.includes(id));
    };
    expect([await namesUs(ada), await namesUs(bob), await namesUs(olga)]).toEqual([true, false, false]);
  });

  it.each(Object.keys(ofTheInstallation))('names no company where it is of none: %s', async (field) => {
    const shown = await Promise.all([ada, bob, olga].map((viewer) => viewer.get(ofTheInstallation[field]!)));
    expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(1);
    for (const { id } of companies.idsIn(known)) expect(JSON.stringify(shown)).not.toContain(id);
  });

  it.each(Object.keys(changesNothing))('changes nobody where it only looks: %s', async (field) => {
    const theirsBefore = await companies.everything(companies.theirs);
    await bob.get(`mutation ${changesNothing[field]}`);
    expect(await companies.everything(companies.theirs)).toEqual(theirsBefore);
    await expectOursUntouched();
  });

  it.each(Object.keys(changes))('changes a company by its own alone: %s', async (field) => {
    const theirsBefore = await companies.everything(companies.theirs);
    await bob.get(`mutation ${changes[field]}`);
    expect(await companies.everything(companies.theirs)).not.toEqual(theirsBefore);
    await expectOursUntouched();
  });
});

describe('the API', () => {
  it('lists the viewer’s own conversations only', async () => {
    const query = '{ conversations { edges { node { title } } } }';
    expect(await awa.get(query)).toEqual({ conversations: { edges: [{ node: { title: 'Avant' } }] } });
    const { conversations } = await ada.get<{ conversations: { edges: { node: { title: string } }[] } }>(
      query,
    );
    expect(conversations.edges.map(({ node }) => node.title)).toContain(QUESTION);
  });

  it('shows what waits for an answer to admins and to the asker, and to nobody else', async () => {
    expect(await pendingOf(awa)).toEqual([]);
    const [admin, asker] = await Promise.all([pendingOf(abel), pendingOf(ada)]);
    expect(asker).toHaveLength(1);
    expect(admin).toEqual(asker);
  });

  it('does not let one asker’s idempotency key tell another of it', async () => {
    const question = { assistantKey: 'mefali', message: 'Bonjour', idempotencyKey: 'the same' };
    const [first, colleague, stranger] = await Promise.all([
      ada.startTurn(question),
      awa.startTurn({ ...question, message: 'Bonsoir' }),
      bob.startTurn({ ...question, message: 'Adieu' }),
    ]);
    expect([first, colleague, stranger].map(({ __typename }) => __typename)).toEqual(
      Array(3).fill('TurnAccepted'),
    );
    expect(new Set([first, colleague, stranger].map(({ turn }) => turn?.id)).size).toBe(3);
    // Their answers are waited for, so that nothing is under way when the next test looks.
    await Promise.all([ada.allEvents(first.turn!.id), awa.allEvents(colleague.turn!.id)]);
    await bob.allEvents(stranger.turn!.id);
  });
});
