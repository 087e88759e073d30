import { sqlStateOf } from '../src/database/connection-failure.js';
import { addPartitions } from '../src/database/partitions/time-partitions.js';
import type { Transaction } from '../src/database/transaction.js';
import { type Row, TwoCompanies } from './harness/two-companies.js';

const REFUSED = '42501';

let companies: TwoCompanies;
let ours: string;
let theirs: string;

beforeAll(async () => {
  companies = await TwoCompanies.start();
  ({ ours, theirs } = companies);
});
afterAll(() => companies[Symbol.asyncDispose]());

/** The SQLSTATE that a statement fails with in a transaction of its own; null when it does not fail. */
const failureOf = (companyId: string, work: (tx: Transaction) => Promise<unknown>): Promise<string | null> =>
  companies.app.database.transaction(companyId, work).then(
    () => null,
    (error: unknown) => sqlStateOf(error),
  );

/** The same of the installation's own statement. */
const failureOfSystem = (statement: string): Promise<string | null> =>
  companies.app.database
    .systemTransaction((tx) => tx.query(statement))
    .then(
      () => null,
      (error: unknown) => sqlStateOf(error),
    );

/** What the installation's own statements may do, by table: the columns that each kind of them may name. */
const rightsOfTheInstallation = {
  company: {
    SELECT: `id slug name sector country city headcount revenue_amount revenue_currency environmental_practices
      declared_goals attributes language created_at`,
    INSERT: `id slug name sector country city headcount revenue_amount revenue_currency environmental_practices
      declared_goals attributes language created_at`,
  },
  document: { SELECT: 'company_id id content_id upload_error created_at', UPDATE: 'upload_error' },
  model_call: {
    INSERT: `company_id turn_id id purpose model kept messages tools input_tokens output_tokens cached_input_tokens
      reasoning_tokens source cost_usd outcome duration_ms at`,
  },
  prompt_text: {
    SELECT: 'company_id member_id digest used_on',
    INSERT: 'company_id member_id digest content used_on',
    UPDATE: 'used_on',
    DELETE: 'rows',
  },
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
const readRights = async (): Promise<Record<string, Record<string, string>>> => {
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
};

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
    for (const { name, owner } of companies.tables) {
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
    for (const { name, owner } of companies.tables) {
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
      'SELECT company',
      'SELECT document',
      'SELECT prompt_text',
      'DELETE prompt_text',
      'SELECT skill_call',
      'SELECT turn',
      'SELECT turn_event',
      'SELECT upload',
      'DELETE upload',
      'SELECT usage_day',
    ]);
  });
});

describe('every partition', () => {
  it('is reached through its table alone, also one that was made later', async () => {
    const { dataSource } = companies.app.database;
    const partitioned = ['model_call', 'turn_event'];
    for (const table of partitioned) {
      await addPartitions(dataSource, { table, column: 'turn_id' }, { from: new Date(), days: 5 });
    }
    const partitions = await dataSource.query<{ parent: string; name: string }[]>(
      `SELECT inhparent::regclass::text AS parent, relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY relname`,
    );
    const counts = partitioned.map((table) => partitions.filter(({ parent }) => parent === table).length);
    // One a day, the first of them made before, and one for the rest.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(7);
    expect(partitions).toHaveLength(counts.reduce((sum, count) => sum + count));
    for (const { name } of partitions) {
      const statements = [
        `SELECT 1 FROM ${name}`,
        `INSERT INTO ${name} DEFAULT VALUES`,
        `UPDATE ${name} SET at = at`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name}`,
      ];
      for (const statement of statements) {
        const byTenant = await failureOf(ours, (tx) => tx.query(statement));
        const byInstallation = await failureOfSystem(statement);
        expect({ statement, byTenant, byInstallation }).toEqual({
          statement,
          byTenant: REFUSED,
          byInstallation: REFUSED,
        });
      }
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

  it.each(['SELECT * FROM migration', 'SELECT data FROM pgboss.job', 'DELETE FROM pgboss.job'])(
    'refuses a tenant: %s',
    async (statement) => {
      expect(await failureOf(theirs, (tx) => tx.query(statement))).toBe(REFUSED);
    },
  );
});
