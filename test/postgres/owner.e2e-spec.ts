import { addPartitions } from '../../src/platform/database/time-partitions.js';
import { testDatabaseUrl } from '../harness/test-server.js';
import { TwoCompanies } from '../harness/two-companies.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

onServer('the role of DATABASE_URL, which owns the tables and is no superuser', () => {
  let companies: TwoCompanies;
  let names: string[];

  beforeAll(async () => {
    companies = await TwoCompanies.start({ hasPlainOwner: true });
    const { dataSource } = companies.app.database;
    for (const table of ['model_call', 'turn_event']) {
      await addPartitions(dataSource, { table, column: 'turn_id' }, { from: new Date(), days: 5 });
    }
    const rows = await dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND relkind IN ('r', 'p') AND relname <> 'migration' AND pg_get_userbyid(relowner) = current_user
       ORDER BY relname`,
    );
    names = rows.map(({ name }) => name);
  });
  afterAll(() => companies[Symbol.asyncDispose]());

  /** The tables and partitions of which a role is shown a row, and may change or delete one. */
  const reachedBy = async (role: string | null, companyId: string): Promise<string[]> => {
    const reached: string[] = [];
    const runner = companies.app.database.dataSource.createQueryRunner();
    try {
      for (const name of names) {
        for (const statement of [`SELECT 1 FROM ${name}`, `DELETE FROM ${name} RETURNING 1`]) {
          await runner.startTransaction();
          if (role !== null) await runner.query(`SET LOCAL ROLE ${role}`);
          await runner.query(`SET LOCAL palabre.company_id = '${companyId}'`);
          const refused = { records: [] as unknown[] };
          const { records } = await runner.query(statement, [], true).catch(() => refused);
          if (records.length > 0 && !reached.includes(name)) reached.push(name);
          await runner.rollbackTransaction();
        }
      }
      return reached;
    } finally {
      await runner.release();
    }
  };

  it('is shown no row of any table or partition, whichever company it names', async () => {
    expect(names.length).toBeGreaterThanOrEqual(companies.tables.length + 14);
    expect(await reachedBy(null, companies.ours)).toEqual([]);
  });

  it('lets tenants and the installation see what is theirs through the tables, and through no partition', async () => {
    const tables = companies.tables.map(({ name }) => name);
    expect(await reachedBy('palabre_app', companies.ours)).toEqual(tables);
    const byInstallation = await reachedBy('palabre_system', companies.ours);
    expect(byInstallation.length).toBeGreaterThan(0);
    expect(tables).toEqual(expect.arrayContaining(byInstallation));
  });
});
