import { newId } from '../../src/common/ids.js';
import { createCompany } from '../../src/companies/create-company.js';
import type { Database } from '../../src/platform/database/database.js';
import { openDatabase, type OpenDatabase } from '../../src/platform/database/open-database.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { entities } from '../../src/app/entities.js';
import { Memory, type MemoryKind } from '../../src/memory/memory.entity.js';
import { type Mentions, MemoryMentions } from '../../src/memory/mentions/mentions.service.js';
import { NameRepository } from '../../src/memory/mentions/name.repository.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';

const CONTACTS = 5_000;
const LIMIT = 3;

const firstNames = ['Marie', 'Awa', 'Jean', 'Anna', 'Luis', 'Chen', 'Fatou', 'Paul', 'Ines', 'Omar'];

let testDatabase: TestDatabase;
let opened: OpenDatabase;
let database: Database;
let companyId: string;
let me: string;
let other: string;
const mentions = new MemoryMentions(new NameRepository());

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.location, entities);
  ({ database } = opened);
  companyId = (await createCompany(database, { slug: `c-${newId()}`, name: 'C' })).id;
  [me, other] = await inCompany(async (tx) => [await addMember(tx), await addMember(tx)]);
  // Ten first names and two thousand last ones, so that a first name alone is that of hundreds.
  await inCompany(async (tx) => {
    for (let index = 0; index < CONTACTS; index++) {
      await add(tx, null, 'CONTACT', `${firstNames[index % 10]} Durand${index % 2_000}`);
    }
  });
});
afterAll(async () => {
  await opened.close();
  await testDatabase[Symbol.asyncDispose]();
});

function inCompany<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(companyId, work);
}

async function addMember(tx: Transaction): Promise<string> {
  const id = newId();
  await tx.query(`INSERT INTO member (company_id, id, subject, name) VALUES ($1, $2, $3, 'M')`, [
    companyId,
    id,
    id,
  ]);
  return id;
}

async function add(
  tx: Transaction,
  ownerId: string | null,
  kind: MemoryKind,
  subject: string,
  { inForce = true } = {},
): Promise<string> {
  const id = newId();
  await tx.query(
    `INSERT INTO memory (company_id, id, lineage_id, owner_id, kind, subject, subject_key, content, source, valid_from,
       superseded_by)
     VALUES ($1, $2, $2, $3, $4, $5, $6, 'C', 'MEMBER', now(), $7)`,
    [companyId, id, ownerId, kind, subject, `${subject} ${id}`, inForce ? null : newId()],
  );
  const [memory] = await tx.select(Memory, 'company_id = $1 AND id = $2', [companyId, id]);
  await mentions.put(tx, memory!);
  return id;
}

function find(message: string, member = me): Promise<Mentions> {
  return database.read(companyId, (tx) => mentions.find(tx, member, message, LIMIT));
}

function subjects(memories: readonly Memory[]): string[] {
  return memories.map(({ subject }) => subject);
}

describe('in a company of 5,000 contacts', () => {
  it('finds the one whose name is said, though both parts of it are common, by one statement', async () => {
    await inCompany(async (tx) => {
      const id = await add(tx, null, 'CONTACT', 'Marie Durand17');
      for (let index = 0; index < 150; index++) await add(tx, null, 'CONTACT', `Marie Petit${index}`);
      const query = vi.spyOn(tx, 'query');
      const { contacts } = await mentions.find(tx, me, 'Quel est le numéro de Marie Durand17 ?', LIMIT);
      expect(contacts[0]?.id).toBe(id);
      expect(query).toHaveBeenCalledTimes(1);
    });
  });

  it('gives no more than it was asked for, the newest of those it cannot tell apart', async () => {
    const newest = await inCompany(async (tx) => [
      await add(tx, null, 'CONTACT', 'Omar Alpha'),
      await add(tx, null, 'CONTACT', 'Omar Beta'),
      await add(tx, null, 'CONTACT', 'Omar Gamma'),
    ]);
    const { contacts } = await find('Appelle Omar');
    expect(contacts.map(({ id }) => id)).toEqual(newest.toReversed());
  });

  it('finds one’s own among hundreds of the company’s of that name', async () => {
    await inCompany((tx) => add(tx, me, 'CONTACT', 'Jean Zola'));
    expect(subjects((await find('Où est Jean Zola ?')).contacts)).toEqual(['Jean Zola']);
    expect(subjects((await find('Où est Zola ?')).contacts)).toEqual(['Jean Zola']);
  });

  it('looks nothing up for a message without a word', async () => {
    await inCompany(async (tx) => {
      const query = vi.spyOn(tx, 'query');
      expect(await mentions.find(tx, me, '?! …', LIMIT)).toEqual({ projects: [], contacts: [] });
      expect(query).not.toHaveBeenCalled();
    });
  });

  it('reads a message of any length', async () => {
    const filler = 'un mot et encore un autre 我們今天討論了很多事情 '.repeat(2_000);
    await inCompany((tx) => add(tx, me, 'PROJECT', 'Zanzibar'));
    expect(subjects((await find(`Pour Zanzibar : ${filler}`)).projects)).toEqual(['Zanzibar']);
  });
});

describe('nothing is found', () => {
  it('of another member', async () => {
    await inCompany((tx) => add(tx, other, 'CONTACT', 'Quentin Quasar'));
    expect(await find('Quentin Quasar')).toEqual({ projects: [], contacts: [] });
    expect(subjects((await find('Quentin Quasar', other)).contacts)).toEqual(['Quentin Quasar']);
  });

  it('of another company', async () => {
    const { id } = await createCompany(database, { slug: `c-${newId()}`, name: 'D' });
    await inCompany((tx) => add(tx, null, 'PROJECT', 'Xanadu'));
    const found = await database.read(id, (tx) => mentions.find(tx, me, 'Xanadu', LIMIT));
    expect(found).toEqual({ projects: [], contacts: [] });
    expect(subjects((await find('Xanadu')).projects)).toEqual(['Xanadu']);
  });

  it('that was superseded, also where its names are still there', async () => {
    await inCompany((tx) => add(tx, me, 'PROJECT', 'Yggdrasil', { inForce: false }));
    expect((await find('Yggdrasil')).projects).toEqual([]);
  });

  it('whose names were removed', async () => {
    const id = await inCompany((tx) => add(tx, me, 'PROJECT', 'Walhalla'));
    expect(subjects((await find('Walhalla')).projects)).toEqual(['Walhalla']);
    await inCompany((tx) => mentions.remove(tx, id));
    expect((await find('Walhalla')).projects).toEqual([]);
  });

  it('that was deleted, and no name of it is left', async () => {
    const id = await inCompany((tx) => add(tx, me, 'PROJECT', 'Valinor'));
    await inCompany((tx) =>
      tx.query('DELETE FROM memory WHERE company_id = $1 AND id = $2', [companyId, id]),
    );
    const names = await inCompany((tx) =>
      tx.query('SELECT key FROM memory_name WHERE company_id = $1 AND memory_id = $2', [companyId, id]),
    );
    expect(names).toEqual([]);
    expect((await find('Valinor')).projects).toEqual([]);
  });
});
