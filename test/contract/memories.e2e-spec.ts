import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';
import type { JsonObject } from '@palabre/json';

import { newId } from '../../src/common/ids.js';
import type { Memory } from '../../src/memory/memory.entity.js';
import { memoriesForgotten } from '../../src/memory/memory.events.js';
import { DomainEvents } from '../../src/platform/events/domain-events.js';
import {
  forget,
  LIST_MEMORIES,
  memoriesOf,
  memoryNode,
  memoryPage,
  type MemoryView,
  remember,
  tryToForget,
  tryToRemember,
  tryToUpdate,
  update,
} from '../harness/memory-view.js';
import { identityOf } from '../harness/notification-view.js';
import { shareApp, type TestApp } from '../harness/start-app.js';
import type { GraphQLAnswer, TestClient } from '../harness/test-client.js';

let app: TestApp;
let company: string;
let companyId: string;
/** A member, another one, and an admin. */
let awa: TestClient;
let ben: TestClient;
let ada: TestClient;

beforeAll(async () => {
  app = await shareApp(() => [text('Bonjour.'), finish()]);
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());
beforeEach(async () => {
  company = await app.company();
  awa = await app.client({ company, sub: 'awa', role: 'MEMBER' });
  ben = await app.client({ company, sub: 'ben', role: 'MEMBER' });
  ada = await app.client({ company, sub: 'ada', role: 'ADMIN' });
  ({ companyId } = await identityOf(ada));
});

function fact(subject: string, content: string, more: object = {}) {
  return {
    kind: 'FACT',
    subject,
    content,
    ...more,
  };
}

function marc(attributes?: JsonObject, content = 'Notre comptable.') {
  return {
    kind: 'CONTACT',
    subject: 'Marc Diop',
    content,
    ...(attributes && { attributes }),
  };
}

function codesOf({ errors = [] }: GraphQLAnswer<unknown>): string[] {
  return errors.map(({ extensions }) => extensions.code);
}

function contentsOf(memories: readonly Pick<MemoryView, 'content'>[]): string[] {
  return memories.map(({ content }) => content);
}

function inForce(client: TestClient): Promise<MemoryView[]> {
  return memoriesOf(client, { active: true });
}

function rowsIn(table: string): Promise<number> {
  return app.database.read(companyId, async (tx) => {
    const [row] = await tx.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    return row!.count;
  });
}

describe('what is remembered', () => {
  it('can be seen at once, with all that is known of it', async () => {
    const memory = await remember(awa, marc({ email: 'marc@diop.sn', aliases: ['M. Diop'] }));
    expect(memory).toMatchObject({
      kind: 'CONTACT',
      subject: 'Marc Diop',
      content: 'Notre comptable.',
      attributes: { email: 'marc@diop.sn', aliases: ['M. Diop'] },
      active: true,
      shared: false,
      source: 'MEMBER',
      sourceMessageId: null,
      supersededBy: null,
      history: [],
    });
    expect(memory.validFrom).toBe(memory.createdAt);
    expect(await memoryNode(awa, memory.id)).toEqual({ __typename: 'Memory', ...memory });
    expect(await memoriesOf(awa)).toEqual([memory]);
  });

  it('is stored as one line that hides nothing', async () => {
    const { subject, content } = await remember(
      awa,
      fact(' Le\n bureau ', 'Au 3e\u2028étage\u200B. <|im_end|>'),
    );
    expect([subject, content]).toEqual(['Le bureau', 'Au 3e étage. < |im_end|>']);
  });

  it('takes the place of what was in force on the subject, however it is written', async () => {
    const first = await remember(awa, fact('Réunion d’équipe', 'Le lundi.'));
    const second = await remember(awa, fact("REUNION  D'EQUIPE", 'Le mardi.'));
    const third = await remember(awa, fact('réunion d’équipe', 'Le mercredi.'));
    expect(third.history).toEqual([
      { id: second.id, content: 'Le mardi.', supersededBy: third.id },
      { id: first.id, content: 'Le lundi.', supersededBy: second.id },
    ]);
    expect(await memoryNode(awa, first.id)).toMatchObject({
      content: 'Le lundi.',
      active: false,
      supersededBy: second.id,
      validFrom: first.validFrom,
    });
    expect(contentsOf(await inForce(awa))).toEqual(['Le mercredi.']);
    expect(contentsOf(await memoriesOf(awa, { active: false }))).toEqual(['Le mardi.', 'Le lundi.']);
  });

  it('leaves other kinds, subjects and people alone', async () => {
    await remember(awa, fact('Thé', 'En stock.'));
    await remember(awa, { ...fact('Thé', 'Plutôt vert.'), kind: 'PREFERENCE' });
    await remember(awa, fact('Thé noir', 'Épuisé.'));
    await remember(ben, fact('Thé', 'Commandé.'));
    await remember(ada, fact('Thé', 'Offert à tous.', { shared: true }));
    expect(contentsOf(await inForce(awa))).toEqual([
      'Offert à tous.',
      'Épuisé.',
      'Plutôt vert.',
      'En stock.',
    ]);
    expect(contentsOf(await inForce(ben))).toEqual(['Offert à tous.', 'Commandé.']);
  });

  it('is the one there was when the same is said again', async () => {
    const memory = await remember(awa, marc({ email: 'marc@diop.sn', company: 'Diop & fils' }));
    const same = [
      marc({ company: 'Diop & fils', email: 'marc@diop.sn' }),
      marc({ email: ' marc@diop.sn\n' }),
      marc(),
      marc(undefined, ' Notre  comptable. '),
    ];
    for (const input of same) expect(await remember(awa, input)).toEqual(memory);
    expect(await memoriesOf(awa)).toHaveLength(1);
  });

  it('is written otherwise when it is said in another spelling', async () => {
    await remember(awa, fact('Elodie', 'Aime le thé.'));
    expect(await remember(awa, fact('Élodie', 'Aime le thé.'))).toMatchObject({ subject: 'Élodie' });
    expect(await inForce(awa)).toHaveLength(1);
  });

  it('keeps what is known of a contact or a project and not spoken of', async () => {
    await remember(awa, marc({ email: 'marc@diop.sn', notes: 'Le matin.', vip: true }));
    const changed = await remember(
      awa,
      marc({ email: 'm.diop@diop.sn', vip: null }, 'Notre ancien comptable.'),
    );
    expect(changed).toMatchObject({
      content: 'Notre ancien comptable.',
      attributes: { email: 'm.diop@diop.sn', notes: 'Le matin.' },
    });
    expect(Object.keys(changed.attributes)).toHaveLength(2);
    const project = { kind: 'PROJECT', subject: 'Baobab', content: 'Un verger.' };
    await remember(awa, { ...project, attributes: { client: 'Karité', status: 'en cours' } });
    expect(await remember(awa, { ...project, attributes: { status: 'livré' } })).toMatchObject({
      attributes: { client: 'Karité', status: 'livré' },
    });
  });

  it('lets go of what a fact’s earlier words came with', async () => {
    await remember(awa, fact('Loyer', '900 par mois.', { attributes: { until: 2026 } }));
    expect(await remember(awa, fact('Loyer', '900 par mois.'))).toMatchObject({
      attributes: { until: 2026 },
    });
    expect(await remember(awa, fact('Loyer', '950 par mois.'))).toMatchObject({ attributes: {} });
  });

  it('is never twice in force, nor lost, however many say it at the same time', async () => {
    const said = Array.from({ length: 50 }, (_, index) => `Version ${index}.`);
    const memories = await Promise.all(said.map((content) => remember(awa, fact('Budget', content))));
    expect(new Set(memories.map(({ id }) => id)).size).toBe(50);
    const [current, ...others] = await inForce(awa);
    expect(others).toEqual([]);
    const all = await memoriesOf(awa);
    expect(contentsOf(all).toSorted()).toEqual(said.toSorted());
    // One after the other, each in the place of the one before.
    expect(all[0]!.id).toBe(current!.id);
    expect(all.slice(1).map(({ supersededBy }) => supersededBy)).toEqual(
      all.slice(0, -1).map(({ id }) => id),
    );
  });

  it('is one memory when many say the same at the same time', async () => {
    const memories = await Promise.all(
      Array.from({ length: 10 }, () => remember(awa, fact('Budget', '900.'))),
    );
    expect(new Set(memories.map(({ id }) => id)).size).toBe(1);
    expect(await memoriesOf(awa)).toHaveLength(1);
  });

  it('has an end, of which people are told what to do about it', async () => {
    await remember(awa, fact('Budget', '900.'));
    await app.database.transaction(companyId, (tx) =>
      tx.query('UPDATE memory_owner SET in_force = 200000 WHERE company_id = $1', [companyId]),
    );
    const { errors } = await tryToRemember(awa, fact('Loyer', '950.'));
    expect(errors).toMatchObject([
      { message: expect.stringMatching(/Forget some/), extensions: { code: 'CONFLICT', limit: 200_000 } },
    ]);
    // What is known can still be corrected.
    expect(await remember(awa, fact('Budget', '950.'))).toMatchObject({ content: '950.' });
    const { id } = await remember(awa, fact('Budget', '1000.'));
    await forget(awa, id);
    expect(await remember(awa, fact('Loyer', '950.'))).toMatchObject({ content: '950.' });
  });
});

describe('a correction', () => {
  it('takes the place of what it corrects', async () => {
    const first = await remember(awa, marc({ email: 'marc@diop.sn' }));
    const second = await update(awa, first.id, {
      attributes: { email: 'm.diop@diop.sn', notes: 'Le matin.' },
    });
    expect(second).toMatchObject({
      kind: 'CONTACT',
      subject: 'Marc Diop',
      content: 'Notre comptable.',
      attributes: { email: 'm.diop@diop.sn', notes: 'Le matin.' },
      history: [{ id: first.id, supersededBy: second.id }],
    });
    const third = await update(awa, second.id, { content: 'Notre ancien comptable.' });
    expect(third).toMatchObject({
      content: 'Notre ancien comptable.',
      attributes: { email: 'm.diop@diop.sn', notes: 'Le matin.' },
    });
    expect(await inForce(awa)).toEqual([third]);
  });

  it('replaces a fact’s attributes when it has some, and leaves them otherwise', async () => {
    const { id } = await remember(awa, fact('Loyer', '900.', { attributes: { until: 2026, city: 'Dakar' } }));
    const second = await update(awa, id, { content: '950.' });
    expect(second.attributes).toEqual({ until: 2026, city: 'Dakar' });
    const third = await update(awa, second.id, { attributes: { until: 2027 } });
    expect(third).toMatchObject({ content: '950.', attributes: { until: 2027 } });
    expect(Object.keys(third.attributes)).toEqual(['until']);
  });

  it('that changes nothing leaves the version there is', async () => {
    const memory = await remember(awa, marc({ email: 'marc@diop.sn' }));
    const nothingNew: Parameters<typeof update>[2][] = [
      { content: 'Notre comptable.' },
      { attributes: { email: 'marc@diop.sn' } },
      { attributes: {} },
    ];
    for (const changes of nothingNew) {
      expect(await update(awa, memory.id, changes)).toEqual(memory);
    }
  });

  it('of what is superseded is told which version is in force', async () => {
    const first = await remember(awa, fact('Budget', '900.'));
    await remember(awa, fact('Budget', '950.'));
    const third = await remember(awa, fact('Budget', '1000.'));
    const { errors } = await tryToUpdate(awa, first.id, { content: '850.' });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', inForceId: third.id } }]);
    expect(contentsOf(await inForce(awa))).toEqual(['1000.']);
  });

  it('is made once when several are made at the same time, and the others are told', async () => {
    const { id } = await remember(awa, fact('Budget', '900.'));
    const said = Array.from({ length: 20 }, (_, index) => `${index}.`);
    const outcomes = await Promise.all(said.map((content) => tryToUpdate(awa, id, { content })));
    const [current] = await inForce(awa);
    expect(outcomes.flatMap(({ data }) => data?.updateMemory.id ?? [])).toEqual([current!.id]);
    const refusals = outcomes.flatMap(({ errors }) => errors ?? []);
    const told = refusals.map(({ extensions: { code, inForceId } }) => `${code} ${String(inForceId)}`);
    expect(told).toEqual(Array(19).fill(`CONFLICT ${current!.id}`));
  });
});

describe('what is forgotten', () => {
  it('is gone with all that led to it', async () => {
    const first = await remember(awa, marc());
    const second = await update(awa, first.id, { attributes: { email: 'marc@diop.sn' } });
    const other = await remember(awa, fact('Budget', '900.'));
    expect(await rowsIn('memory_name')).toBeGreaterThan(0);
    const told = vi.spyOn(DomainEvents.prototype, 'emit');
    expect(await forget(awa, second.id)).toBe(second.id);
    expect(
      told.mock.calls.flatMap(([, event, versions]) =>
        event === memoriesForgotten ? [(versions as Memory[]).map(({ id }) => id)] : [],
      ),
    ).toEqual([[first.id, second.id]]);
    for (const { id } of [first, second]) {
      expect(await memoryNode(awa, id)).toBeNull();
      expect(codesOf(await tryToForget(awa, id))).toEqual(['NOT_FOUND']);
      expect(codesOf(await tryToUpdate(awa, id, { content: 'Encore.' }))).toEqual(['NOT_FOUND']);
    }
    expect(await memoriesOf(awa)).toEqual([other]);
    expect(await rowsIn('memory_name')).toBe(0);
  });

  it('can be an older version, with those before it', async () => {
    const said = ['850.', '900.', '950.', '1000.'];
    const ids: string[] = [];
    for (const content of said) ids.push((await remember(awa, fact('Budget', content))).id);
    await forget(awa, ids[1]!);
    expect(contentsOf(await memoriesOf(awa))).toEqual(['1000.', '950.']);
    expect((await inForce(awa))[0]).toMatchObject({ id: ids[3], history: [{ id: ids[2] }] });
    await forget(awa, ids[3]!);
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('is there still when its traces cannot be erased', async () => {
    const memory = await remember(awa, fact('Budget', '900.'));
    vi.spyOn(DomainEvents.prototype, 'emit').mockRejectedValueOnce(new Error('no'));
    expect(codesOf(await tryToForget(awa, memory.id))).toEqual(['INTERNAL']);
    expect(await memoriesOf(awa)).toEqual([memory]);
    expect(await forget(awa, memory.id)).toBe(memory.id);
  });

  it('can be remembered anew', async () => {
    const { id } = await remember(awa, fact('Budget', '900.'));
    await forget(awa, id);
    expect(await remember(awa, fact('Budget', '900.'))).toMatchObject({ active: true, history: [] });
  });

  it('is forgotten once when several do so at the same time', async () => {
    const { id } = await remember(awa, fact('Budget', '900.'));
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => tryToForget(awa, id)));
    expect(outcomes.filter(({ data }) => data?.forget === id)).toHaveLength(1);
    expect(outcomes.flatMap(codesOf)).toEqual(Array(9).fill('NOT_FOUND'));
  });
});

describe('what a company shares', () => {
  it('is read by everybody and written by admins', async () => {
    const memory = await remember(ada, fact('Congés', 'À demander au printemps.', { shared: true }));
    expect(memory.shared).toBe(true);
    for (const client of [ada, awa, ben]) {
      expect(await memoryNode(client, memory.id)).toMatchObject(memory);
      expect(await memoriesOf(client)).toEqual([memory]);
    }
    const second = await remember(ada, fact('congés', 'À demander en mars.', { shared: true }));
    const operator = await app.client({ company, sub: 'olga', role: 'OPERATOR' });
    const third = await update(operator, second.id, { content: 'À demander en avril.' });
    expect(contentsOf(await inForce(awa))).toEqual(['À demander en avril.']);
    await forget(ada, third.id);
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it('is not for members to change', async () => {
    const { id } = await remember(ada, fact('Congés', 'À demander au printemps.', { shared: true }));
    const refused = await Promise.all([
      tryToRemember(awa, fact('Congés', 'Sans demander.', { shared: true })),
      tryToUpdate(awa, id, { content: 'Sans demander.' }),
      tryToForget(awa, id),
    ]);
    expect(refused.flatMap(codesOf)).toEqual(Array(3).fill('FORBIDDEN'));
    expect(contentsOf(await memoriesOf(ada))).toEqual(['À demander au printemps.']);
  });

  it('is audited, without a word of what it says', async () => {
    const first = await remember(ada, fact('Congés', 'Au printemps.', { shared: true }));
    const second = await update(ada, first.id, { content: 'En mars.' });
    await remember(ada, fact('Congés', 'En mars.', { shared: true }));
    await forget(ada, second.id);
    await remember(ada, fact('Congés', 'Les miens.'));
    const { auditEntries } = await ada.get<{
      auditEntries: {
        edges: { node: { memberName: string; action: string; subject: string; details: JsonObject } }[];
      };
    }>('{ auditEntries { edges { node { memberName action subject details } } } }');
    expect(auditEntries.edges.map(({ node }) => node)).toEqual(
      [
        ['memory.forgotten', second.id],
        ['memory.updated', second.id],
        ['memory.remembered', first.id],
      ].map(([action, subject]) => ({
        memberName: 'ada',
        action,
        subject,
        details: { kind: 'FACT', firstVersion: first.id },
      })),
    );
  });
});

describe('what is somebody’s own', () => {
  it('is to everybody else as if it had never been', async () => {
    const { id } = await remember(awa, marc());
    const bob = await app.client({ company: await app.company(), sub: 'bob', role: 'OPERATOR' });
    for (const client of [ben, ada, bob]) {
      for (const unknown of [id, newId(), 'no-id']) {
        expect(await memoryNode(client, unknown)).toBeNull();
        expect(codesOf(await tryToUpdate(client, unknown, { content: 'Pris.' }))).toEqual(['NOT_FOUND']);
        expect(codesOf(await tryToForget(client, unknown))).toEqual(['NOT_FOUND']);
      }
      expect(await memoriesOf(client)).toEqual([]);
    }
    expect(contentsOf(await memoriesOf(awa))).toEqual(['Notre comptable.']);
  });

  it('goes with the member', async () => {
    await remember(awa, marc());
    await remember(ben, fact('Budget', '900.'));
    const { id } = await identityOf(awa);
    await app.database.transaction(companyId, (tx) =>
      tx.query('DELETE FROM member WHERE company_id = $1 AND id = $2', [companyId, id]),
    );
    expect([await rowsIn('memory'), await rowsIn('memory_owner'), await rowsIn('memory_name')]).toEqual([
      1, 1, 0,
    ]);
  });
});

describe('the list', () => {
  it('comes newest first, page by page, of one kind or all, in force or not', async () => {
    for (const index of [1, 2, 3, 4]) {
      await remember(awa, fact(`Sujet ${index}`, `${index}`));
      await remember(awa, { ...fact(`Projet ${index}`, `P${index}`), kind: 'PROJECT' });
      await remember(ada, fact(`Sujet ${index}`, `S${index}`, { shared: true }));
    }
    await remember(awa, fact('Sujet 2', '2b'));
    const walk = async (filter: object): Promise<string[]> => {
      const contents: string[] = [];
      let after: string | null = null;
      for (;;) {
        const page = await memoryPage(awa, { ...filter, first: 3, after });
        contents.push(...contentsOf(page.edges.map(({ node }) => node)));
        if (!page.pageInfo.hasNextPage) return contents;
        after = page.pageInfo.endCursor;
      }
    };
    const all = ['2b', 'S4', 'P4', '4', 'S3', 'P3', '3', 'S2', 'P2', '2', 'S1', 'P1', '1'];
    expect(await walk({})).toEqual(all);
    expect(await walk({ active: true })).toEqual(all.filter((content) => content !== '2'));
    expect(await walk({ active: false })).toEqual(['2']);
    expect(await walk({ kind: 'PROJECT' })).toEqual(['P4', 'P3', 'P2', 'P1']);
    expect(await walk({ kind: 'FACT', active: true })).toEqual(['2b', 'S4', '4', 'S3', '3', 'S2', 'S1', '1']);
    expect(await walk({ kind: 'CONTACT' })).toEqual([]);
  });

  it('shows the 20 versions before one, and the rest with the last of them', async () => {
    for (let index = 0; index <= 25; index += 1) await remember(awa, fact('Budget', `${index}`));
    const [current] = await inForce(awa);
    expect(contentsOf(current!.history)).toEqual(Array.from({ length: 20 }, (_, index) => `${24 - index}`));
    const last = await memoryNode(awa, current!.history.at(-1)!.id);
    expect(contentsOf(last!.history)).toEqual(['4', '3', '2', '1', '0']);
  });

  it('costs a history of histories what it may show', async () => {
    const nested = 'history { history { history { history { id } } } }';
    const { errors } = await awa.send(`{ memories(first: 100) { edges { node { ${nested} } } } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', limit: expect.any(Number) } }]);
  });

  it.each([{ first: -1 }, { first: 101 }, { after: 'nonsense' }, { kind: 'RUMOUR' }])(
    'is not given for %j',
    async (variables) => {
      expect(await awa.codes(LIST_MEMORIES, variables)).toEqual(['BAD_USER_INPUT']);
    },
  );
});

describe('what cannot be remembered', () => {
  const long = 'é'.repeat(2_001);
  const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, index]));

  it.each<[string, object, string[]]>([
    ['an empty subject', { subject: ' \n' }, ['subject']],
    ['a subject of accents alone', { subject: '\u0301' }, ['subject']],
    ['a subject of accents that stand by themselves', { subject: '´ ¨' }, ['subject']],
    ['a long subject', { subject: 'a'.repeat(201) }, ['subject']],
    ['a subject that is long once it is folded', { subject: '\uFDFA'.repeat(200) }, ['subject']],
    ['a name without a letter', { kind: 'CONTACT', subject: '…!' }, ['subject']],
    ['empty content', { content: '\u200B' }, ['content']],
    ['long content', { content: long }, ['content']],
    ['a control character', { content: 'a\u0007b' }, ['content']],
    ['a NUL', { content: 'a\0b' }, ['content']],
    ['half a character', { content: 'a\uD83D' }, ['content']],
    ['attributes that are none', { attributes: ['x'] }, ['attributes']],
    ['too many attributes', { attributes: tooMany }, ['attributes']],
    ['a wrong address', { kind: 'CONTACT', attributes: { email: 'marc' } }, ['attributes', 'email']],
    [
      'a long alias',
      { kind: 'CONTACT', attributes: { aliases: ['M', long] } },
      ['attributes', 'aliases', '1'],
    ],
    ['a long status', { kind: 'PROJECT', attributes: { status: 'a'.repeat(61) } }, ['attributes', 'status']],
    ['an object inside', { attributes: { a: { b: 1 } } }, ['attributes', 'a']],
  ])('is %s, and its path is told', async (_what, input, path) => {
    const { errors } = await tryToRemember(awa, { ...fact('Budget', '900.'), ...input });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', path: ['input', ...path] } }]);
    expect(await memoriesOf(awa)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['content']],
    ['nothing, said twice', { content: null, attributes: null }, ['content']],
    ['empty content', { content: ' ' }, ['content']],
    ['long content', { content: long }, ['content']],
    ['a wrong address', { attributes: { email: 'marc' } }, ['attributes', 'email']],
    ['more attributes than there may be', { attributes: { last: 1 } }, ['attributes']],
  ])('is a correction by %s, and its path is told', async (_what, changes, path) => {
    const { last: _, ...twenty } = { ...tooMany, last: undefined, k20: undefined };
    const memory = await remember(awa, marc(JSON.parse(JSON.stringify(twenty)) as JsonObject));
    const { errors } = await tryToUpdate(awa, memory.id, changes);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', path } }]);
    expect(await inForce(awa)).toEqual([memory]);
  });
});
