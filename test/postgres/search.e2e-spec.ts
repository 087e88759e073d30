import fc from 'fast-check';
import { countPostings, eachPosting, impactOf, listsOfBlock, saturation, TermVector } from '@palabre/lexical';

import { newId } from '../../src/common/ids.js';
import type { SearchScope } from '../../src/documents/search-index/search.js';
import { searchExactly } from '../harness/exact-search.js';
import { SearchWorld } from '../harness/search-world.js';

let world: SearchWorld;
beforeAll(async () => {
  world = await SearchWorld.start();
});
afterAll(() => world[Symbol.asyncDispose]());

async function ownScope(): Promise<SearchScope> {
  return { collection: 'MESSAGE', ownerId: await world.member() };
}
function only(scope: SearchScope, limit = 10) {
  return { scopes: [scope], limit };
}

/** Lines of words as people use them, some of which are rare. */
const words =
  'le solde du compte carbone usine Dakar énergie solaire projet Baobab budget réunion mardi 碳排放 範疇'.split(
    ' ',
  );
const lineOf = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((each) => each.join(' '));

describe('what was put in', () => {
  it('is found at once, by inflected and misspelt words too, the best first', async () => {
    const scope = await ownScope();
    const [solar, other, meeting] = [newId(), newId(), newId()];
    await world.put(scope, {
      [solar]: 'Les panneaux solaires de l’usine de Thiès produisent 42 MWh.',
      [other]: 'Le budget de l’usine est voté en mars.',
      [meeting]: '下週二下午三點開會討論碳排放報告。',
    });
    expect(await world.find('panneau solaire usine', only(scope))).toEqual([solar, other]);
    expect(await world.find('paneaux solairs', only(scope))).toEqual([solar]);
    expect(await world.find('碳排放', only(scope))).toEqual([meeting]);
    expect(await world.find('volcan', only(scope))).toEqual([]);
  });

  it.each(['', ' ?!… ', '\0', '\ud800', '👍', 'x'.repeat(10_000), 'mot '.repeat(5_000), '\n'.repeat(20_000)])(
    'is not found by a question that says nothing of it',
    async (query) => {
      const scope = await ownScope();
      await world.put(scope, { [newId()]: 'Bilan carbone' });
      expect(await world.find(query, only(scope))).toEqual([]);
    },
  );

  it('is found by what it says now, not by what it said before', async () => {
    const scope = await ownScope();
    const id = newId();
    await world.put(scope, { [id]: 'Awa préfère le café.' });
    await world.put(scope, { [id]: 'Awa préfère le thé.' });
    expect(await world.find('café', only(scope))).toEqual([]);
    expect(await world.find('thé', only(scope))).toEqual([id]);
  });

  it('is not there if its transaction is undone', async () => {
    const scope = await ownScope();
    const undone = world.database.transaction(world.companyId, async (tx) => {
      await world.index.put(tx, scope, [{ id: newId(), groupId: null, text: 'Bilan' }]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await world.find('Bilan', only(scope))).toEqual([]);
  });

  it('is found in its own scope and company alone', async () => {
    const [mine, theirs] = [await ownScope(), await ownScope()];
    const shared: SearchScope = { collection: 'MESSAGE', ownerId: null };
    const [own, common, foreign] = [newId(), newId(), newId()];
    await world.put(mine, { [own]: 'secret' });
    await world.put(theirs, { [newId()]: 'secret' });
    await world.put(shared, { [common]: 'secret, un peu plus long' });
    await world.put(shared, { [foreign]: 'secret' }, { companyId: world.otherCompanyId });
    const found = await world.find('secret', { scopes: [mine, shared], limit: 10 });
    expect(found).toEqual([own, common]);
    expect(await world.find('secret', only(shared), world.otherCompanyId)).toEqual([foreign]);
    expect(await world.find('secret', only(mine), world.otherCompanyId)).toEqual([]);
  });

  it('goes with its owner', async () => {
    const scope = await ownScope();
    await world.put(scope, { [newId()]: 'Bilan '.repeat(100) });
    await world.takeIn(scope);
    await world.database.transaction(world.companyId, (tx) =>
      tx.query('DELETE FROM member WHERE id = $1', [scope.ownerId]),
    );
    const left = await world.database.read(world.companyId, (tx) =>
      tx.query(
        `SELECT 1 FROM search_scope WHERE owner_id = $1
         UNION ALL SELECT 1 FROM search_list WHERE NOT EXISTS (SELECT FROM search_scope WHERE id = scope_id)
         UNION ALL SELECT 1 FROM search_list_block WHERE NOT EXISTS (SELECT FROM search_scope WHERE id = scope_id)
         UNION ALL SELECT 1 FROM search_item WHERE NOT EXISTS (SELECT FROM search_scope WHERE id = scope_id)`,
        [scope.ownerId],
      ),
    );
    expect(left).toEqual([]);
  });
});

describe('a version', () => {
  const versionOf = (...scopes: SearchScope[]) =>
    world.database.read(world.companyId, (tx) => world.index.version(tx, scopes));

  it('changes with what is in any of its scopes, and with nothing else', async () => {
    const [mine, theirs] = [await ownScope(), await ownScope()];
    const id = newId();
    const seen = [await versionOf(mine, theirs)];
    await world.put(mine, { [id]: 'un' });
    seen.push(await versionOf(mine, theirs));
    await world.put(theirs, { [newId()]: 'deux' });
    seen.push(await versionOf(mine, theirs));
    await world.takeIn(mine);
    expect(await versionOf(mine, theirs)).toBe(seen.at(-1));
    await world.remove(mine, [newId()]);
    expect(await versionOf(mine, theirs)).toBe(seen.at(-1));
    await world.remove(mine, [id]);
    seen.push(await versionOf(mine, theirs));
    expect(new Set(seen).size).toBe(4);
    expect(await versionOf(theirs, mine)).not.toBe(seen.at(-1));
  });
});

describe('a scope with long lists', () => {
  /** Texts of which every one has the same word, and each a few others. */
  const fill = async (scope: SearchScope, count: number): Promise<Map<string, string>> => {
    const texts = new Map<string, string>();
    for (let index = 0; index < count; index += 1) {
      texts.set(newId(), `commun ${words[index % words.length]} ${words[(index * 7) % 13]} n${index}`);
    }
    const entries = [...texts];
    for (let at = 0; at < count; at += 500) {
      await world.put(scope, Object.fromEntries(entries.slice(at, at + 500)));
      await world.takeIn(scope);
    }
    return texts;
  };

  /** How many parts the longest list has. */
  const mostParts = async (scope: SearchScope): Promise<number> => {
    const [{ parts = 0 } = {}] = await world.database.read(world.companyId, (tx) =>
      tx.query<{ parts: number }>(
        'SELECT count(*)::int AS parts FROM search_list_part p JOIN search_scope s ON s.id = scope_id WHERE owner_id = $1 GROUP BY term ORDER BY 1 DESC LIMIT 1',
        [scope.ownerId],
      ),
    );
    return parts;
  };

  it('finds the rare and the frequent, before and after it was compacted, and nothing that is gone', async () => {
    const scope = await ownScope();
    const texts = await fill(scope, 4_000);
    const found = async (query: string) => (await world.search(query, only(scope, 20))).hits;
    const expectExact = async (): Promise<void> => {
      for (const query of ['n1234 commun', 'Baobab n17', 'commun', 'énergi solair n3999']) {
        const [best] = searchExactly(texts, query);
        const hits = await found(query);
        expect(hits).toHaveLength(20);
        expect(hits[0]!.lexicalScore).toBeCloseTo(best!.score, 6);
        expect(hits.every(({ id }) => texts.has(id))).toBe(true);
      }
    };
    expect(await mostParts(scope)).toBeGreaterThan(2);
    await expectExact();
    const gone = [...texts.keys()].filter((_, index) => index % 3 !== 0);
    await world.remove(scope, gone);
    for (const id of gone) texts.delete(id);
    expect((await found('commun')).every(({ id }) => texts.has(id))).toBe(true);
    await world.compact(scope);
    await expectExact();
  });

  it('is compacted from where it was stopped, and again for what has gone meanwhile', async () => {
    const scope = await ownScope();
    const ids = [...(await fill(scope, 8_000)).keys()];
    const scopeId = await world.scopeId(scope);
    const stateOf = () => world.database.read(world.companyId, (tx) => world.lists.find(tx, scopeId));
    await world.remove(scope, ids.slice(0, 100));
    const stopping = new AbortController();
    let steps = 0;
    const stopped = world.compact(scope, stopping.signal, () => {
      steps += 1;
      if (steps === 2) stopping.abort(new Error('stopped'));
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect((await stateOf())?.compaction?.term).toBeGreaterThan(-(2 ** 31));
    await world.remove(scope, ids.slice(100, 150));
    await world.compact(scope);
    expect(await stateOf()).toMatchObject({ compaction: null, deadCount: 50 });
    await world.compact(scope);
    expect(await stateOf()).toMatchObject({ compaction: null, deadCount: 0 });
    const lists = await listsOf(scope);
    expect(Math.max(...Array.from(lists.values(), ({ df }) => df))).toBe(7_850);
    const gone = new Set(Array.from({ length: 150 }, (_, index) => index + 1));
    const left = Array.from(lists.values(), ({ postings }) =>
      postings.filter(([ordinal]) => gone.has(ordinal)),
    );
    expect(left.flat()).toEqual([]);
  });

  it('has what was written anew swept once there is much of it, and not before', async () => {
    const scope = await ownScope();
    const { lists } = world;
    const { sweep } = lists;
    let sweeps = 0;
    let next = 0;
    const take = async (...counts: number[]): Promise<void> => {
      const items = counts.map((count) => {
        next += count;
        return [newId(), Array.from({ length: count }, (_, index) => next - index).join(' ')];
      });
      await world.put(scope, Object.fromEntries(items));
      await world.takeIn(scope);
    };
    lists.sweep = async (database) => {
      sweeps += 1;
      await sweep.call(lists, database);
    };
    try {
      // Enough by itself: what others have left behind before goes with it.
      await take(15_000, 15_000, 15_000, 15_000);
      expect(sweeps).toBe(1);
      for (let times = 0; times < 3; times += 1) await take(15_000);
      expect(sweeps).toBe(1);
      await take(15_000);
      expect(sweeps).toBe(2);
      await take(10);
      expect(sweeps).toBe(2);
    } finally {
      lists.sweep = sweep;
    }
  });

  it('is searched within one group though all lists are of others', async () => {
    const scope = await ownScope();
    await fill(scope, 1_000);
    const [groupId, id] = [newId(), newId()];
    await world.put(scope, { [id]: 'commun et rien de plus' }, { groupId });
    await world.put(scope, Object.fromEntries(Array.from({ length: 500 }, () => [newId(), 'commun'])));
    await world.takeIn(scope);
    expect(await world.find('commun', { ...only(scope), groupIds: [groupId] })).toEqual([id]);
    expect(await world.find('commun', { ...only(scope), groupIds: [newId()] })).toEqual([]);
    expect(await world.find('commun', { ...only(scope), groupIds: [] })).toEqual([]);
  });
});

describe('what several do at the same time', () => {
  const atOnce = <T>(works: readonly (() => Promise<T>)[]): Promise<T[]> =>
    Promise.all(works.map((work) => work()));

  it('is all there: puts, batches, removals and compactions of one scope', async () => {
    const scope = await ownScope();
    const texts = new Map<string, string>();
    const first = Array.from({ length: 40 }, (_, index) => [newId(), `premier commun n${index}`] as const);
    await world.put(scope, Object.fromEntries(first));
    await world.takeIn(scope);
    await atOnce([
      ...Array.from({ length: 30 }, (_, index) => async () => {
        const id = newId();
        texts.set(id, `commun second m${index}`);
        await world.put(scope, { [id]: `commun second m${index}` });
      }),
      ...first.map(
        ([id]) =>
          () =>
            world.remove(scope, [id]),
      ),
      ...Array.from({ length: 4 }, () => () => world.takeIn(scope)),
      ...Array.from({ length: 4 }, () => () => world.compact(scope)),
    ]);
    await world.takeIn(scope);
    await world.compact(scope);
    const { hits } = await world.search('commun m7', only(scope, 100));
    const expected = searchExactly(texts, 'commun m7');
    expect(hits.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
    expect(hits[0]!.lexicalScore).toBeCloseTo(expected[0]!.score, 6);
  });

  it('makes one scope of the first puts of all', async () => {
    const scope = await ownScope();
    const ids = Array.from({ length: 8 }, newId);
    await atOnce(ids.map((id) => () => world.put(scope, { [id]: 'Bilan' })));
    expect((await world.find('bilan', only(scope))).toSorted()).toEqual(ids.toSorted());
  });

  it('leaves the last of those that put the same thing', async () => {
    const scope = await ownScope();
    const id = newId();
    await atOnce(Array.from({ length: 6 }, () => () => world.put(scope, { [id]: 'Bilan' })));
    expect(await world.find('bilan', only(scope))).toEqual([id]);
  });
});

/** What is done to a scope, one after the other. */
type Act =
  | { type: 'put'; ids: number[]; lines: string[]; group: number }
  | { type: 'remove'; ids: number[] }
  | { type: 'remove-group'; group: number }
  | { type: 'take-in' }
  | { type: 'compact' };

const idOf = fc.integer({ min: 0, max: 24 });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      ids: fc.uniqueArray(idOf, { minLength: 1, maxLength: 8 }),
      lines: fc.array(lineOf, { minLength: 8, maxLength: 8 }),
      group: fc.integer({ min: 0, max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('remove' as const),
      ids: fc.array(idOf, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('remove-group' as const),
      group: fc.integer({ min: 0, max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'take-in' } as const) },
  { weight: 2, arbitrary: fc.constant({ type: 'compact' } as const) },
);

/** A scope of its own, and what ought to be in it. */
class Model {
  readonly texts = new Map<string, string>();
  readonly groups = new Map<string, string>();
  private readonly ids = Array.from({ length: 25 }, newId);
  private readonly groupIds = Array.from({ length: 3 }, newId);

  constructor(readonly scope: SearchScope) {}

  groupAt(index: number): string {
    return this.groupIds[index] ?? '';
  }

  async carryOut(one: Act): Promise<void> {
    if (one.type === 'take-in') return world.takeIn(this.scope);
    if (one.type === 'compact') return world.compact(this.scope);
    if (one.type === 'put') {
      const groupId = this.groupAt(one.group);
      const texts = Object.fromEntries(
        one.ids.map((id, index) => [this.ids[id] ?? '', one.lines[index] ?? '']),
      );
      for (const [id, text] of Object.entries(texts)) {
        this.texts.set(id, text);
        this.groups.set(id, groupId);
      }
      return world.put(this.scope, texts, { groupId });
    }
    const isGone =
      one.type === 'remove'
        ? (id: string) => one.ids.some((index) => this.ids[index] === id)
        : (id: string) => this.groups.get(id) === this.groupAt(one.group);
    const gone = [...this.texts.keys()].filter(isGone);
    for (const id of gone) this.texts.delete(id);
    if (one.type === 'remove') {
      return world.remove(
        this.scope,
        one.ids.map((index) => this.ids[index] ?? ''),
      );
    }
    for (const id of gone) world.texts.delete(id);
    await world.database.transaction(world.companyId, (tx) =>
      world.index.removeGroup(tx, this.scope, this.groupAt(one.group)),
    );
  }
}

describe('after anything that was done to a scope', () => {
  const acts = fc.array(act, { minLength: 5, maxLength: 25 });

  it('what is there is found, and nothing that is gone', async () => {
    await fc.assert(
      fc.asyncProperty(acts, lineOf, async (done, query) => {
        const model = new Model(await ownScope());
        for (const one of done) {
          await model.carryOut(one);
          const found = await world.find(query, only(model.scope, 100));
          const expected = searchExactly(model.texts, query).map(({ id }) => id);
          expect(found.toSorted()).toEqual(expected.toSorted());
        }
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('the order and the scores are exact once it is compact, in all and in a group', async () => {
    await fc.assert(
      fc.asyncProperty(acts, lineOf, async (done, query) => {
        const model = new Model(await ownScope());
        for (const one of done) await model.carryOut(one);
        await world.compact(model.scope);
        const expected = searchExactly(model.texts, query);
        const { hits } = await world.search(query, only(model.scope, 100));
        expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        hits.forEach(({ lexicalScore }, index) =>
          expect(lexicalScore).toBeCloseTo(expected[index]!.score, 6),
        );
        const groupId = model.groupAt(0);
        expect(await world.find(query, { ...only(model.scope, 100), groupIds: [groupId] })).toEqual(
          expected.filter(({ id }) => model.groups.get(id) === groupId).map(({ id }) => id),
        );
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  it('the lists of a compact scope are those of what is left', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (done) => {
        const model = new Model(await ownScope());
        for (const one of done) await model.carryOut(one);
        await world.takeIn(model.scope);
        await world.compact(model.scope);
        expect(await listsOf(model.scope)).toEqual(await listsOfTexts(model));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });
});

type Lists = Map<number, { df: number; postings: [ordinal: number, impact: number][] }>;

/** What is stored, by term. */
async function listsOf(scope: SearchScope): Promise<Lists> {
  const scopeId = await world.scopeId(scope);
  const stored = await world.database.read(world.companyId, (tx) =>
    world.lists.listLists(tx, scopeId, -(2 ** 31), 100_000),
  );
  const lists: Lists = new Map();
  const short = stored.blocks
    .flatMap(listsOfBlock)
    .map((list) => ({ ...list, df: countPostings(list.data), parts: [] }));
  for (const { term, df, data, parts } of [...stored.lists, ...short]) {
    expect(lists.has(term)).toBe(false);
    const postings: [number, number][] = [];
    for (const part of [...parts, { data }]) {
      eachPosting(part.data, (ordinal, impact) => postings.push([ordinal, impact]));
    }
    lists.set(term, { df, postings });
  }
  return lists;
}

/** What ought to be. */
async function listsOfTexts(model: Model): Promise<Lists> {
  const scopeId = await world.scopeId(model.scope);
  const { items, usual } = await world.database.read(world.companyId, async (tx) => ({
    items: await tx.query<{ itemId: string; ordinal: number }>(
      'SELECT item_id AS "itemId", ordinal FROM search_item WHERE scope_id = $1 ORDER BY ordinal',
      [scopeId],
    ),
    // Four bytes are stored, of which the database tells the shortest number.
    usual: Math.fround((await world.lists.find(tx, scopeId))?.usualLength ?? 0),
  }));
  expect(items.map(({ itemId }) => itemId).toSorted()).toEqual([...model.texts.keys()].toSorted());
  const lists: Lists = new Map();
  for (const { itemId, ordinal } of items) {
    const vector = TermVector.gramsOf(model.texts.get(itemId) ?? '');
    vector.each((term, count) => {
      const list = lists.get(term) ?? { df: 0, postings: [] };
      list.df += 1;
      list.postings.push([ordinal, impactOf(saturation(count, vector.length, usual))]);
      lists.set(term, list);
    });
  }
  return lists;
}
