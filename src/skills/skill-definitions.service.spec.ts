import { DomainError } from '../common/errors/domain-error.js';
import { newId } from '../common/ids.js';
import { Transaction } from '../platform/database/transaction.js';
import { Secrets, UnreadableSecret } from '../platform/secrets.js';
import { type InstalledSkills, SkillMakers, type SkillChanges } from './skill-sources.service.js';
import { type OwnSkill, SkillDefinitions } from './skill-definitions.service.js';
import {
  type SkillDefinition,
  type SkillRow,
  MAX_OWN_SKILLS,
  type NewSkill,
  type SkillRepository,
} from './skill.repository.js';
import { callableOf, type CatalogueSkill, instructionsOf, type Pack, readsOwn, type Skill } from './skill.js';

function newRow(companyId: string, { key, kind, active }: NewSkill): SkillRow {
  return {
    companyId,
    id: newId(),
    key,
    kind,
    active,
    requiresApproval: null,
    askerMayApprove: false,
    leastRole: 'MEMBER',
    assistants: null,
    exposed: false,
    own: false,
    revision: 1,
    serverId: null,
  };
}

/** The tables of one company, in memory. */
class Tables {
  readonly rows = new Map<string, SkillRow>();
  readonly definitions = new Map<string, SkillDefinition>();
  /** Ids of the definitions that were read, a list each time. */
  readonly read: string[][] = [];

  readonly skills = {
    addMissing: async (tx: Transaction, skills: readonly NewSkill[]) => {
      for (const skill of skills) {
        if (!this.rows.has(skill.key)) this.rows.set(skill.key, newRow(tx.companyId, skill));
      }
    },
    list: async () => [...this.rows.values()],
    lock: async (_: Transaction, key: string) => this.copyOf(key),
    findByKey: async (_: Transaction, key: string) => this.copyOf(key),
    countOwn: async () => [...this.rows.values()].filter(({ own }) => own).length,
    makeOwn: async (_: Transaction, { id, ...changes }: Pick<SkillRow, 'id'>) => {
      const row = this.byId(id);
      Object.assign(row, { ...changes, own: true, revision: row.revision + 1 });
    },
    disown: async (_: Transaction, id: string, kind: SkillRow['kind']) => {
      const row = this.byId(id);
      Object.assign(row, { own: false, kind, serverId: null, revision: row.revision + 1 });
    },
    remove: async (_: Transaction, id: string) => {
      this.rows.delete(this.byId(id).key);
      this.definitions.delete(id);
    },
    findDefinitions: async (_: Transaction, ids: readonly string[]) => {
      this.read.push([...ids]);
      return new Map([...this.definitions].filter(([id]) => ids.includes(id)));
    },
    putDefinition: async (
      { companyId }: Transaction,
      definition: Omit<SkillDefinition, 'companyId' | 'updatedAt'>,
    ) => {
      this.definitions.set(definition.skillId, { ...definition, companyId, updatedAt: new Date() });
    },
    removeDefinition: async (_: Transaction, id: string) => {
      this.definitions.delete(id);
    },
  } as unknown as SkillRepository;

  private copyOf(key: string): SkillRow | null {
    const row = this.rows.get(key);
    return row ? { ...row } : null;
  }

  private byId(id: string): SkillRow {
    const row = [...this.rows.values()].find((one) => one.id === id);
    if (!row) throw new Error(`There is no row ${id}.`);
    return row;
  }
}

function skillOf(key: string): Skill {
  return {
    key,
    name: key,
    description: 'Code.',
    parameters: { type: 'object' },
    idempotent: true,
    timeoutMs: 1000,
    effect: readsOwn,
    run: () => Promise.resolve(null),
  };
}

function packOf(key: string): Pack {
  return {
    version: '1',
    key,
    name: key,
    category: null,
    description: 'Ships.',
    assistants: ['solven'],
    warnings: [],
    files: [],
    readBody: () => Promise.resolve(''),
    readFile: () => Promise.resolve(Buffer.alloc(0)),
  };
}

function ownSkill(over: Partial<OwnSkill> = {}): OwnSkill {
  return {
    key: 'get_item',
    kind: 'HTTP',
    name: 'Item',
    description: 'Gets an item.',
    category: null,
    parameters: { type: 'object' },
    idempotent: true,
    timeoutMs: 15_000,
    settings: { url: 'https://stock.invalid' },
    secrets: null,
    replace: false,
    ...over,
  };
}
function ownPack(key: string): OwnSkill {
  return ownSkill({ key, kind: 'INSTRUCTIONS', parameters: null, replace: true });
}

let tables: Tables;
let announced: string[];
let made: string[];
let known: Map<string, CatalogueSkill>;
let definitions: SkillDefinitions;
let makers: SkillMakers;
const tx = new Transaction(newId(), {} as never);

beforeEach(() => {
  tables = new Tables();
  announced = [];
  made = [];
  known = new Map([
    ['look', callableOf('FUNCTION', skillOf('look'))],
    ['deeds/sale', instructionsOf(packOf('deeds/sale'))],
  ]);
  makers = new SkillMakers(tables.skills);
  makers.register({
    kind: 'HTTP',
    make: (key, { settings }) => {
      made.push(key);
      if (settings['url'] === 'broken') throw new Error('Its address is gone.');
      return skillOf(key);
    },
  });
  makers.register({ kind: 'INSTRUCTIONS', make: (key) => ({ ...packOf(key), assistants: ['mefali'] }) });
  definitions = new SkillDefinitions(
    tables.skills,
    { known } as unknown as InstalledSkills,
    { announce: async ({ companyId }: Transaction) => void announced.push(companyId) } as SkillChanges,
    new Secrets('a secret for tests that is long enough'),
  );
});

/** Gives the row that came of it. */
async function put(own: OwnSkill): Promise<SkillRow> {
  await definitions.put(tx, own);
  return { ...tables.rows.get(own.key)! };
}
function codeOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
}
async function makeAll(): Promise<CatalogueSkill[]> {
  return [...(await makers.makeAll(tx, [...tables.rows.values()])).values()];
}

describe('a company’s own skill', () => {
  it('is new under a key of nobody, switched on and announced', async () => {
    const row = await put(ownSkill());
    expect(row).toMatchObject({ key: 'get_item', own: true, active: true, kind: 'HTTP', revision: 2 });
    expect(await definitions.find(tx, 'get_item')).toMatchObject({
      row: { id: row.id },
      definition: { name: 'Item', settings: { url: 'https://stock.invalid' }, secrets: null },
    });
    expect(announced).toEqual([tx.companyId]);
  });

  it('takes the place of what it was when it is told to, and keeps its switches', async () => {
    const { id } = await put(ownSkill());
    Object.assign(tables.rows.get('get_item')!, { active: false, leastRole: 'ADMIN' });
    expect(await codeOf(put(ownSkill({ name: 'Other' })))).toBe('CONFLICT');
    const row = await put(ownSkill({ name: 'Other', replace: true }));
    expect(row).toMatchObject({ id, active: false, leastRole: 'ADMIN', revision: 3 });
    expect(tables.definitions.get(id)?.name).toBe('Other');
  });

  it('tells what it takes the place of, so that this can be cleared away', async () => {
    expect(await definitions.put(tx, ownPack('deeds/sale'))).toBeNull();
    const settings = { url: 'elsewhere' };
    const earlier = await definitions.put(tx, { ...ownPack('deeds/sale'), settings });
    expect(earlier?.settings).toEqual({ url: 'https://stock.invalid' });
    expect((await definitions.remove(tx, 'deeds/sale', 'INSTRUCTIONS')).settings).toEqual(settings);
  });

  it('of a company that had the one that ships switched off stays off', async () => {
    await tables.skills.addMissing(tx, [{ key: 'deeds/sale', kind: 'INSTRUCTIONS', active: false }]);
    expect(await put(ownPack('deeds/sale'))).toMatchObject({ own: true, active: false });
  });

  it.each<[string, OwnSkill, string]>([
    ['of the loop’s own names', ownSkill({ key: 'load_skill', replace: true }), 'BAD_USER_INPUT'],
    ['of code', ownSkill({ key: 'look', replace: true }), 'CONFLICT'],
    ['of code, for a pack', ownPack('look'), 'CONFLICT'],
    ['of a pack that ships, for another kind', ownSkill({ key: 'deeds/sale', replace: true }), 'CONFLICT'],
    ['of a pack that ships, unasked', { ...ownPack('deeds/sale'), replace: false }, 'CONFLICT'],
    ['of one of another kind', ownPack('get_item'), 'CONFLICT'],
    ['of a tool of a server', ownSkill({ key: 'files__read', kind: 'MCP', replace: true }), 'CONFLICT'],
  ])('has no key %s', async (_, own, code) => {
    await put(ownSkill());
    await put(ownSkill({ key: 'files__read', kind: 'MCP', serverId: newId() }));
    const before = structuredClone(tables.definitions);
    expect(await codeOf(put(own))).toBe(code);
    expect(tables.definitions).toEqual(before);
    expect(announced).toHaveLength(2);
  });

  it('is one of so many at most, those that are changed not counted', async () => {
    await put(ownSkill());
    const rows = Array.from({ length: MAX_OWN_SKILLS - 1 }, (_, index) =>
      newRow(tx.companyId, { key: `s${index}`, kind: 'HTTP', active: true }),
    );
    for (const row of rows) tables.rows.set(row.key, { ...row, own: true });
    await expect(put(ownSkill({ key: 'one_more' }))).rejects.toMatchObject({
      code: 'CONFLICT',
      extensions: { limit: MAX_OWN_SKILLS },
    });
    expect(await codeOf(put(ownSkill({ replace: true })))).toBeNull();
  });

  it('keeps its secrets encrypted, for itself alone', async () => {
    await put(ownSkill({ secrets: { Authorization: 's3cret' } }));
    await put(ownSkill({ key: 'get_other' }));
    const { definition } = (await definitions.find(tx, 'get_item'))!;
    const other = (await definitions.find(tx, 'get_other'))!.definition;
    expect(JSON.stringify(definition)).not.toContain('s3cret');
    expect(definitions.secretsOf(definition)).toEqual({ Authorization: 's3cret' });
    expect(definitions.secretsOf(other)).toEqual({});
    expect(() => definitions.secretsOf({ ...other, secrets: definition.secrets })).toThrow(UnreadableSecret);
  });
});

describe('a skill that is removed', () => {
  it('is gone where it was the company’s alone', async () => {
    const { id } = await put(ownSkill());
    expect(await definitions.remove(tx, 'get_item', 'HTTP')).toMatchObject({ skillId: id });
    expect([tables.rows.size, tables.definitions.size, announced.length]).toEqual([0, 0, 2]);
    expect(await definitions.find(tx, 'get_item')).toBeNull();
  });

  it('gives way to the one that ships, under the id and with the switches that it had', async () => {
    const { id } = await put(ownPack('deeds/sale'));
    expect(await definitions.remove(tx, 'deeds/sale', 'INSTRUCTIONS')).toMatchObject({ skillId: id });
    expect(tables.rows.get('deeds/sale')).toMatchObject({ id, own: false });
    expect(tables.definitions.size).toBe(0);
    expect(await codeOf(put(ownPack('deeds/sale')))).toBeNull();
    expect(tables.rows.get('deeds/sale')).toMatchObject({ id, own: true });
  });

  it('gives way to one of another kind that came to the installation meanwhile', async () => {
    const { id } = await put(ownSkill());
    known.set('get_item', instructionsOf(packOf('get_item')));
    await definitions.remove(tx, 'get_item', 'HTTP');
    expect(tables.rows.get('get_item')).toMatchObject({ id, own: false, kind: 'INSTRUCTIONS' });
    expect(await codeOf(put(ownPack('get_item')))).toBeNull();
  });

  it.each<[string, string, 'HTTP' | 'INSTRUCTIONS']>([
    ['there is none', 'nope', 'HTTP'],
    ['it is of another kind', 'get_item', 'INSTRUCTIONS'],
    ['it is the installation’s', 'deeds/sale', 'INSTRUCTIONS'],
  ])('is NOT_FOUND when %s', async (_, key, kind) => {
    await put(ownSkill());
    await tables.skills.addMissing(tx, [{ key: 'deeds/sale', kind: 'INSTRUCTIONS', active: true }]);
    expect(await codeOf(definitions.remove(tx, key, kind))).toBe('NOT_FOUND');
    expect(tables.rows.size).toBe(2);
  });
});

describe('a skill that may be back', () => {
  const settings = { url: 'https://stock.invalid', gone: true };
  const withdraw = (key: string) => definitions.withdraw(tx, key, 'HTTP', settings);

  it('is removed where its switches are those of a new one', async () => {
    await put(ownSkill());
    await withdraw('get_item');
    expect([tables.rows.size, tables.definitions.size]).toEqual([0, 0]);
  });

  it.each<[string, Partial<SkillRow>]>([
    ['switched off', { active: false }],
    ['to be allowed', { requiresApproval: true }],
    ['to be allowed by whoever asked', { askerMayApprove: true }],
    ['kept for admins', { leastRole: 'ADMIN' }],
    ['kept for assistants', { assistants: [] }],
  ])('stays, unlike before, where it is %s, and comes back so', async (_, switches) => {
    const { id } = await put(ownSkill({ secrets: { Authorization: 's3cret' } }));
    Object.assign(tables.rows.get('get_item')!, switches);
    await withdraw('get_item');
    expect(tables.rows.get('get_item')).toMatchObject({ id, own: true, revision: 3, ...switches });
    const { definition } = (await definitions.find(tx, 'get_item'))!;
    expect(definition).toMatchObject({ name: 'Item', settings });
    expect(definitions.secretsOf(definition)).toEqual({ Authorization: 's3cret' });
    await withdraw('get_item');
    expect([tables.rows.get('get_item')?.revision, announced.length]).toEqual([3, 2]);
    expect(await put(ownSkill({ replace: true }))).toMatchObject({ id, ...switches });
  });

  it('gives way to the one that ships, with its switches', async () => {
    const { id } = await put(ownSkill());
    Object.assign(tables.rows.get('get_item')!, { active: false });
    known.set('get_item', callableOf('FUNCTION', skillOf('get_item')));
    await withdraw('get_item');
    expect(tables.rows.get('get_item')).toMatchObject({ id, own: false, active: false });
    expect(tables.definitions.size).toBe(0);
  });

  it('is NOT_FOUND where there is none', async () => {
    expect(await codeOf(withdraw('get_item'))).toBe('NOT_FOUND');
  });
});

describe('what a company’s skills are', () => {
  it('is made once of each, and anew when it has changed', async () => {
    await put(ownSkill());
    await put(ownPack('own/pack'));
    expect((await makeAll()).map(({ key, kind, assistants }) => [key, kind, assistants])).toEqual([
      ['get_item', 'HTTP', null],
      ['own/pack', 'INSTRUCTIONS', ['mefali']],
    ]);
    tables.read.length = 0;
    await makeAll();
    expect([made, tables.read]).toEqual([['get_item'], []]);
    const { id } = await put(ownSkill({ replace: true, name: 'Other' }));
    tables.read.length = 0;
    expect((await makeAll()).map(({ name }) => name)).toEqual(['Other', 'Item']);
    expect([made, tables.read]).toEqual([['get_item', 'get_item'], [[id]]]);
  });

  it('is nothing of the installation’s, nor of what is gone', async () => {
    await tables.skills.addMissing(tx, [{ key: 'look', kind: 'FUNCTION', active: true }]);
    await put(ownSkill());
    tables.definitions.clear();
    expect(await makeAll()).toEqual([]);
  });

  it('is a skill that says what is wrong with it where it cannot be made, and no loss to the others', async () => {
    await put(ownSkill({ settings: { url: 'broken' } }));
    await put(ownSkill({ key: 'get_other' }));
    const [broken, other] = await makeAll();
    expect(broken?.skill?.unavailableReason?.('en')).toContain('Its address is gone.');
    await expect(broken?.skill?.run({}, {} as never)).rejects.toThrow('Its address is gone.');
    expect(other?.skill?.unavailableReason).toBeUndefined();
  });
});
