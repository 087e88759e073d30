import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import { createCompany } from '../../src/companies/create-company.js';
import { eventually } from '../harness/eventually.js';
import { startApp } from '../harness/start-app.js';
import { tablesHolding } from '../harness/stored-anywhere.js';
import type { TestClient } from '../harness/test-client.js';
import { TwoCompanies } from '../harness/two-companies.js';

const ERASE = `mutation ($slug: String!, $confirm: String!) {
  eraseCompany(slug: $slug, confirm: $confirm) { id slug requestedBy finishedAt } }`;
const ERASURES = '{ companyErasures { id slug requestedBy finishedAt } }';
const CREATE_KEY = 'mutation { createApiKey(input: { name: "Export" }) { secret } }';
const VIEWER = '{ viewer { id } }';

interface Erasure {
  id: string;
  slug: string;
  requestedBy: string;
  finishedAt: string | null;
}

it('leaves nothing of a company in any table, file or line of work, and lets nobody in', async () => {
  await using companies = await TwoCompanies.start();
  const { app, ours, theirs, people } = companies;
  const { database } = app;
  const slug = await slugOf(companies, ours);
  const { createApiKey } = await people.ada.get<{ createApiKey: { secret: string } }>(CREATE_KEY);
  const program = app.clientWith(createApiKey.secret);
  const ada = app.clientWith(people.ada.token);
  for (const client of [program, ada]) expect(await client.codes(VIEWER)).toEqual([]);
  await app.storage.write(`files/${ours}/rapport`, Buffer.from('abc'), {
    mediaType: 'text/plain',
    maxBytes: 3,
  });

  // Of every table that has companies' rows: one that held none would prove nothing.
  const tables = await database.systemTransaction((tx) =>
    tx.query<{ name: string }>(
      // Not information_schema, which shows a role only what it may read.
      `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND attname = 'company_id' ORDER BY 1`,
    ),
  );
  const counts = async (companyId: string): Promise<Record<string, number>> => {
    const counted: Record<string, number> = {};
    for (const { name } of tables) {
      const rows = await database.transaction(companyId, (tx) =>
        tx.query(`SELECT FROM ${name} WHERE company_id = $1`, [companyId]),
      );
      counted[name] = rows.length;
    }
    return counted;
  };
  const [before, others] = [await counts(ours), await counts(theirs)];
  expect(tables.length).toBeGreaterThan(30);
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);

  expect(await people.bob.codes(ERASE, { slug, confirm: slug })).toEqual(['FORBIDDEN']);
  expect(await people.olga.codes(ERASE, { slug, confirm: `${slug}x` })).toEqual(['BAD_USER_INPUT']);
  expect(await people.olga.codes(ERASE, { slug: 'nobody', confirm: 'nobody' })).toEqual(['NOT_FOUND']);
  const { viewer } = await people.olga.get<{ viewer: { id: string } }>(VIEWER);
  const begun = await people.olga.get<{ eraseCompany: Erasure }>(ERASE, { slug, confirm: slug });
  expect(begun.eraseCompany).toMatchObject({ id: ours, slug, requestedBy: viewer.id });
  expect(await ada.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);

  await whenErased(people.olga, slug);
  expect(Object.entries(await counts(ours)).filter(([, count]) => count > 0)).toEqual([]);
  // The record of it, and the job that has done it, which goes soon after; not even an id is anywhere else.
  const held = await tablesHolding(database, ours);
  expect(held.filter((name) => !name.startsWith('job'))).toEqual(['company_erasure']);
  const jobs = await database.dataSource.query<{ name: string }[]>(
    `SELECT DISTINCT name FROM pgboss.job WHERE data ->> 'companyId' = $1`,
    [ours],
  );
  expect(jobs).toEqual([{ name: 'erase-company' }]);
  expect(app.storage.keys.filter((key) => key.includes(ours))).toEqual([]);
  expect(await counts(theirs)).toEqual(others);

  expect(await ada.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  expect(await program.codes(VIEWER)).toEqual(['UNAUTHENTICATED']);
  await expect(createCompany(database, { slug, name: 'Another' })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(await people.olga.codes(ERASE, { slug, confirm: slug })).toEqual([]);
});

it('leaves nothing that a turn under way still writes', async () => {
  await using app = await startApp([[text('Bonjour.'), finish()]]);
  const slug = await app.company();
  const [ada, olga] = [await app.client({ company: slug }), await app.client({ role: 'OPERATOR' })];
  const { turnId } = await ada.ask('Bonjour ?');
  await ada.allEvents(turnId);
  // A turn writes until its row is gone, which is after the removal of what had been written.
  await app.database.dataSource.query(
    `CREATE FUNCTION write_late() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO turn_event (company_id, turn_id, sequence, at, type, data)
       VALUES (old.company_id, old.id, 1000, now(), 'text-delta', '{"text": "Bonsoir."}');
       RETURN old; END $$;
     CREATE TRIGGER write_late BEFORE DELETE ON turn FOR EACH ROW EXECUTE FUNCTION write_late()`,
  );
  const { eraseCompany } = await olga.get<{ eraseCompany: Erasure }>(ERASE, { slug, confirm: slug });
  await whenErased(olga, slug);
  expect(await tablesHolding(app.database, 'Bonsoir.')).toEqual([]);
  const held = await tablesHolding(app.database, eraseCompany.id);
  expect(held.filter((name) => !name.startsWith('job'))).toEqual(['company_erasure']);
});

it('makes no first company again where the only one was erased', async () => {
  await using app = await startApp([], {}, { isLasting: true });
  const olga = await app.client({ role: 'OPERATOR' });
  await olga.get(ERASE, { slug: 'demo', confirm: 'demo' });
  await app.restart();
  const rows = await app.database.systemTransaction((tx) =>
    tx.query('SELECT FROM company WHERE slug = $1', ['demo']),
  );
  expect(rows).toEqual([]);
});

async function whenErased(operator: TestClient, slug: string): Promise<void> {
  await eventually(
    async () => (await operator.get<{ companyErasures: Erasure[] }>(ERASURES)).companyErasures,
    (erasures) => erasures.some((erasure) => erasure.slug === slug && erasure.finishedAt !== null),
  );
}

async function slugOf({ app }: TwoCompanies, id: string): Promise<string> {
  const [row] = await app.database.transaction(id, (tx) =>
    tx.query<{ slug: string }>('SELECT slug FROM company WHERE id = $1', [id]),
  );
  return row?.slug ?? '';
}
