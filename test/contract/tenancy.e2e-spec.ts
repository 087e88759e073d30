import { sqlStateOf } from '../../src/platform/database/connection-failure.js';
import { addPartitions } from '../../src/platform/database/time-partitions.js';
import type { Transaction } from '../../src/platform/database/transaction.js';
import { type Row, TwoCompanies } from '../harness/two-companies.js';

const REFUSED = '42501';

let companies: TwoCompanies;
let ours: string;
let theirs: string;

beforeAll(async () => {
  companies = await TwoCompanies.start();
  ({ ours, theirs } = companies);
});
afterAll(() => companies[Symbol.asyncDispose]());

/** Tables whose rows a company may change; of the others it adds to them alone. */
function changeable(): TwoCompanies['tables'] {
  return companies.tables.filter(({ name }) => name !== 'audit_entry');
}

/** The SQLSTATE that a statement fails with in a transaction of its own; null when it does not fail. */
function failureOf(companyId: string, work: (tx: Transaction) => Promise<unknown>): Promise<string | null> {
  return companies.app.database.transaction(companyId, work).then(
    () => null,
    (error: unknown) => sqlStateOf(error),
  );
}

/** The same of the installation's own statement. */
function failureOfSystem(statement: string): Promise<string | null> {
  return companies.app.database
    .systemTransaction((tx) => tx.query(statement))
    .then(
      () => null,
      (error: unknown) => sqlStateOf(error),
    );
}

/** What the installation's own statements may do, by table: the columns that each kind of them may name. */
const rightsOfTheInstallation = {
  audit_entry: { SELECT: 'company_id member_id subject details', UPDATE: 'member_id subject details' },
  company: {
    SELECT: `id slug name sector country city headcount revenue_amount revenue_currency environmental_practices
      declared_goals attributes language created_at foreign_text_policy`,
    INSERT: `id slug name sector country city headcount revenue_amount revenue_currency environmental_practices
      declared_goals attributes language created_at foreign_text_policy`,
    UPDATE: 'slug',
  },
  company_erasure: {
    SELECT: 'id slug requested_by requested_at finished_at',
    INSERT: 'id slug requested_by requested_at finished_at',
    UPDATE: 'finished_at',
  },
  document: {
    SELECT: 'company_id id member_id bytes content_id upload_error created_at scope conversation_id',
    UPDATE: 'upload_error',
  },
  document_total: {
    SELECT: 'company_id subject documents bytes',
    INSERT: 'company_id subject documents bytes',
    UPDATE: 'documents bytes',
  },
  model_call: {
    INSERT: `company_id turn_id id purpose model kept messages tools input_tokens output_tokens cached_input_tokens
      reasoning_tokens source cost_usd outcome duration_ms at`,
  },
  model_call_rest: { SELECT: 'turn_id', DELETE: 'rows' },
  prompt_text: {
    SELECT: 'company_id member_id digest used_on',
    INSERT: 'company_id member_id digest content used_on',
    UPDATE: 'used_on',
    DELETE: 'rows',
  },
  provider_total: {
    SELECT: 'company_id subject period first_day provider tokens cost_usd',
    INSERT: 'company_id subject period first_day provider tokens cost_usd',
    UPDATE: 'tokens cost_usd',
  },
  schedule: { SELECT: 'company_id id next_at' },
  skill_call: {
    SELECT: 'company_id id turn_id',
    INSERT: `company_id id turn_id skill arguments status result_preview started_at finished_at step preamble
      model_call_id model_arguments result details`,
    UPDATE: 'status result_preview finished_at result details',
  },
  step_echo: { INSERT: 'company_id turn_id step model data' },
  turn: {
    SELECT: `company_id id conversation_id status attempt lease_until stop_reason last_sequence created_at
      background_at idle_seconds`,
    UPDATE: `status lease_until last_sequence input_tokens output_tokens cached_input_tokens model_calls skill_calls
      cost_usd background_at seen_at idle_seconds`,
  },
  turn_event: {
    SELECT: 'company_id turn_id sequence at type data',
    INSERT: 'company_id turn_id sequence at type data',
  },
  turn_event_rest: { SELECT: 'turn_id', DELETE: 'rows' },
  upload: { SELECT: 'company_id id expires_at', DELETE: 'rows' },
  usage_day: {
    SELECT: `company_id day member_id assistant_key model model_calls estimated_calls unpriced_calls input_tokens
      output_tokens cached_input_tokens cost_usd`,
    INSERT: `company_id day member_id assistant_key model model_calls estimated_calls unpriced_calls input_tokens
      output_tokens cached_input_tokens cost_usd`,
    UPDATE: `model_calls estimated_calls unpriced_calls input_tokens output_tokens cached_input_tokens cost_usd`,
  },
};

/** The same as the database has it. */
async function readRights(): Promise<Record<string, Record<string, string>>> {
  const rows = await companies.app.database.systemTransaction((tx) =>
    tx.query<{ name: string; action: string; columns: string }>(
      `SELECT c.relname AS name, action, string_agg(a.attname, ' ' ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped,
         unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS action
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND has_column_privilege('palabre_system', c.oid, a.attname, action)
       GROUP BY 1, 2
       UNION ALL
       SELECT c.relname, action, 'rows'
       FROM pg_class c, unnest(ARRAY['DELETE', 'TRUNCATE']) AS action
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND has_table_privilege('palabre_system', c.oid, action)`,
    ),
  );
  const rights: Record<string, Record<string, string>> = {};
  for (const { name, action, columns } of rows) (rights[name] ??= {})[action] = columns;
  return rights;
}

describe('every table', () => {
  it('is secured and begins its key with the company', () => {
    expect(companies.tables.length).toBeGreaterThan(10);
    expect(companies.tables).toEqual(
      companies.tables.map(({ name }) => ({
        name,
        secured: true,
        owner: name === 'company' ? 'id' : 'company_id',
      })),
    );
  });

  it('holds something here, or the tests below would prove nothing', async () => {
    const empty = [];
    for (const table of companies.tables) {
      for (const companyId of [ours, theirs]) {
        const rows = await companies.rowsOf(companyId, table);
        expect(rows.every((row) => row[table.owner] === companyId)).toBe(true);
        if (rows.length === 0) empty.push(table.name);
      }
    }
    expect(empty).toEqual([]);
  });

  it('shows and gives up nothing to a statement that asks for another company’s rows by name', async () => {
    for (const { name, owner } of changeable()) {
      const touched = await companies.app.database.transaction(theirs, async (tx) => [
        ...(await tx.query(`SELECT 1 FROM ${name} WHERE ${owner} = $1`, [ours])),
        ...(await tx.query(`UPDATE ${name} SET ${owner} = ${owner} WHERE ${owner} = $1 RETURNING 1`, [ours])),
        ...(await tx.query(`DELETE FROM ${name} WHERE ${owner} = $1 RETURNING 1`, [ours])),
      ]);
      expect({ name, touched }).toEqual({ name, touched: [] });
    }
  });

  it('keeps its rows when another company’s statement forgets to say whose it means', async () => {
    const before = await companies.everything(ours);
    const undone = new Error('undo');
    for (const { name, owner } of changeable()) {
      const work = companies.app.database.transaction(theirs, async (tx) => {
        const updated = await tx.query<Row>(`UPDATE ${name} SET ${owner} = ${owner} RETURNING ${owner}`);
        expect(updated.length).toBeGreaterThan(0);
        expect(updated.every((row) => row[owner] === theirs)).toBe(true);
        throw undone;
      });
      await expect(work).rejects.toBe(undone);
    }
    expect(await companies.everything(ours)).toEqual(before);
  });

  it('takes no row for another company, new or moved', async () => {
    for (const table of companies.tables) {
      const [row] = await companies.rowsOf(ours, table);
      const inserted = await failureOf(theirs, (tx) =>
        tx.query(
          `INSERT INTO ${table.name} OVERRIDING SYSTEM VALUE
           SELECT (jsonb_populate_record(NULL::${table.name}, $1::jsonb)).*`,
          [JSON.stringify(row)],
        ),
      );
      const moved = await failureOf(theirs, (tx) =>
        tx.query(`UPDATE ${table.name} SET ${table.owner} = $1`, [ours]),
      );
      expect({ table: table.name, inserted, moved }).toEqual({
        table: table.name,
        inserted: REFUSED,
        moved: REFUSED,
      });
    }
  });

  it('is empty for a tenant’s statement that has no company', async () => {
    const runner = companies.app.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query('SET LOCAL ROLE palabre_app');
      for (const { name } of companies.tables) {
        expect({ name, rows: await runner.query(`SELECT 1 FROM ${name}`) }).toEqual({ name, rows: [] });
      }
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('is closed to the installation’s own statements but for what storing and running turns takes', async () => {
    const inOneLine = (columns: string): string => columns.replaceAll(/\s+/g, ' ');
    const expected = Object.entries(rightsOfTheInstallation).map(([name, rights]) => [
      name,
      Object.fromEntries(Object.entries(rights).map(([action, columns]) => [action, inOneLine(columns)])),
    ]);
    expect(await readRights()).toEqual(Object.fromEntries(expected));
    const statements = companies.tables.flatMap(({ name, owner }) => [
      [name, 'SELECT', `SELECT 1 FROM ${name} LIMIT 1`],
      [name, 'UPDATE', `UPDATE ${name} SET ${owner} = ${owner} WHERE false`],
      [name, 'DELETE', `DELETE FROM ${name} WHERE false`],
    ]);
    const allowed: string[] = [];
    for (const [name, action, statement] of statements) {
      const failure = await failureOfSystem(statement!);
      if (failure === null) allowed.push(`${action} ${name}`);
      else expect({ statement, failure }).toEqual({ statement, failure: REFUSED });
    }
    expect(allowed).toEqual([
      'SELECT audit_entry',
      'SELECT company',
      'SELECT document',
      'SELECT document_total',
      'SELECT prompt_text',
      'DELETE prompt_text',
      'SELECT provider_total',
      'SELECT schedule',
      'SELECT skill_call',
      'SELECT turn',
      'SELECT turn_event',
      'SELECT upload',
      'DELETE upload',
      'SELECT usage_day',
    ]);
  });
});

describe('the audit', () => {
  it.each([
    `UPDATE audit_entry SET action = 'nothing'`,
    'DELETE FROM audit_entry',
    'TRUNCATE audit_entry',
    'INSERT INTO audit_entry SELECT * FROM audit_entry ON CONFLICT (company_id, id) DO UPDATE SET action = excluded.action',
  ])('is neither changed nor lessened by a company: %s', async (statement) => {
    const before = await companies.rowsOf(ours, { name: 'audit_entry', owner: 'company_id', secured: true });
    expect(before.length).toBeGreaterThan(0);
    expect(await failureOf(ours, (tx) => tx.query(statement))).toBe(REFUSED);
  });
});

describe('every partition', () => {
  let partitions: { parent: string; name: string; secured: boolean }[];

  beforeAll(async () => {
    const { dataSource } = companies.app.database;
    for (const table of ['model_call', 'turn_event']) {
      await addPartitions(dataSource, { table, column: 'turn_id' }, { from: new Date(), days: 5 });
    }
    partitions = await dataSource.query<typeof partitions>(
      `SELECT inhparent::regclass::text AS parent, relname AS name, relrowsecurity AND relforcerowsecurity AS secured
       FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY relname`,
    );
  });

  it('is secured, also one that was made later', () => {
    const counts = ['model_call', 'turn_event'].map(
      (table) => partitions.filter(({ parent }) => parent === table).length,
    );
    // One a day, the first of them made before, and one for the rest.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(7);
    expect(partitions).toHaveLength(counts.reduce((sum, count) => sum + count));
    expect(partitions.filter(({ secured }) => !secured)).toEqual([]);
  });

  it('is reached through its table alone, but for the rest, which the installation empties', async () => {
    for (const { name } of partitions) {
      const statements = [
        `SELECT 1 FROM ${name}`,
        `INSERT INTO ${name} DEFAULT VALUES`,
        `UPDATE ${name} SET at = at`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name}`,
      ];
      const allowed = name.endsWith('_rest') ? [`SELECT 1 FROM ${name}`, `DELETE FROM ${name}`] : [];
      for (const statement of statements) {
        const byTenant = await failureOf(ours, (tx) => tx.query(statement));
        const byInstallation = await failureOfSystem(statement);
        expect({ statement, byTenant, byInstallation }).toEqual({
          statement,
          byTenant: REFUSED,
          byInstallation: allowed.includes(statement) ? null : REFUSED,
        });
      }
    }
  });

  it('and every table shows nothing to a role that inherits both others, whatever it was granted', async () => {
    const runner = companies.app.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`
        CREATE ROLE palabre_test_heir IN ROLE palabre_app, palabre_system;
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO palabre_test_heir;
        SET LOCAL palabre.company_id = '${ours}'`);
      const names = [...companies.tables, ...partitions].map(({ name }) => name);
      const shown = async (role: string): Promise<string[]> => {
        await runner.query(`SET LOCAL ROLE ${role}`);
        const showing: string[] = [];
        for (const name of names) {
          const rows = (await runner.query(`SELECT 1 FROM ${name} LIMIT 1`)) as unknown[];
          if (rows.length > 0) showing.push(name);
        }
        return showing;
      };
      expect(await shown('palabre_test_heir')).toEqual([]);
      await runner.query('RESET ROLE; GRANT SELECT ON ALL TABLES IN SCHEMA public TO palabre_app');
      expect(await shown('palabre_app')).toEqual(companies.tables.map(({ name }) => name));
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });
});

describe('the database', () => {
  it('has roles that can neither log in nor get round the policies', async () => {
    const roles = await companies.app.database.systemTransaction((tx) =>
      tx.query(
        `SELECT rolname, rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole OR rolcreatedb AS powerful,
                (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS memberships
         FROM pg_roles r WHERE rolname IN ('palabre_app', 'palabre_system') ORDER BY rolname`,
      ),
    );
    expect(roles).toEqual([
      { rolname: 'palabre_app', powerful: false, memberships: 0 },
      { rolname: 'palabre_system', powerful: false, memberships: 0 },
    ]);
  });

  it('has no view and no function that would run with its owner’s rights', async () => {
    const ways = await companies.app.database.systemTransaction((tx) =>
      tx.query(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'f')
         UNION ALL
         SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef`,
      ),
    );
    expect(ways).toEqual([]);
  });

  it.each([
    'SELECT * FROM migration',
    'SELECT * FROM company_erasure',
    'SELECT data FROM pgboss.job',
    'DELETE FROM pgboss.job',
  ])('refuses a tenant: %s', async (statement) => {
    expect(await failureOf(theirs, (tx) => tx.query(statement))).toBe(REFUSED);
  });
});
