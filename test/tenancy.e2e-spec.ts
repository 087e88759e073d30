import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  GraphQLObjectType,
  type GraphQLSchema,
  type IntrospectionQuery,
  isInputObjectType,
} from 'graphql';

import { newId } from '../src/common/ids.js';
import { sqlStateOf } from '../src/database/connection-failure.js';
import { addPartitions } from '../src/database/time-partitions.js';
import type { Transaction } from '../src/database/transaction.js';
import { finish, text, toolCall } from '../src/llm/scripted-chat-model.js';
import { startApp, type TestApp } from './harness/start-app.js';
import type { TestClient } from './harness/test-client.js';

interface Table {
  name: string;
  /** Row level security is in force, also for the table's owner. */
  secured: boolean;
  /** The column that says whose the row is: the first of the primary key. */
  owner: string;
}

type Row = Record<string, unknown>;

const REFUSED = '42501';

let app: TestApp;
let tables: Table[];
let ours: string;
let theirs: string;
let ada: TestClient;
let awa: TestClient;
let bob: TestClient;

/** Does everything that leaves a row, so that every table holds something of the company. */
const fill = async (client: TestClient): Promise<string> => {
  const { company } = await client.get<{ company: { id: string } }>('{ company { id } }');
  const { turnId } = await client.ask('Qui sommes-nous ?');
  await client.allEvents(turnId);
  await client.get(
    `mutation { off: setSkillActive(key: "calculate_carbon_footprint", active: false) { id }
                updateCompany(input: { city: "Dakar" }) { id } }`,
  );
  await app.database.transaction(company.id, (tx) =>
    tx.query(
      `INSERT INTO prompt_version (company_id, assistant_id, version, template, published_at, published_by)
       SELECT company_id, id, 1, 'Tu es mefali.', now(), 'ada' FROM assistant WHERE key = 'mefali'`,
    ),
  );
  return company.id;
};

const readTables = (): Promise<Table[]> =>
  app.database.systemTransaction((tx) =>
    tx.query<Table>(
      `SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured,
              (SELECT a.attname FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
               WHERE i.indrelid = c.oid AND i.indisprimary) AS owner
       FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'
         AND NOT c.relispartition
       ORDER BY c.relname`,
    ),
  );

const rowsOf = (companyId: string, { name }: Table): Promise<Row[]> =>
  app.database.transaction(companyId, async (tx) => {
    const rows = await tx.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY t::text`);
    return rows.map(({ row }) => row);
  });

const everything = (companyId: string): Promise<Row[][]> =>
  Promise.all(tables.map((table) => rowsOf(companyId, table)));

/** The SQLSTATE that a statement fails with in a transaction of its own; null when it does not fail. */
const failureOf = (companyId: string, work: (tx: Transaction) => Promise<unknown>): Promise<string | null> =>
  app.database.transaction(companyId, work).then(
    () => null,
    (error: unknown) => sqlStateOf(error),
  );

beforeAll(async () => {
  app = await startApp((request) => {
    const messages = request.messages as { role: string }[];
    if (messages.at(-1)?.role === 'tool') return [text('Vous êtes à Dakar.'), finish()];
    return [toolCall('get_company_profile', {}), finish()];
  });
  const [ourSlug, theirSlug] = [await app.company(), await app.company()];
  ada = await app.client({ company: ourSlug, sub: 'ada' });
  awa = await app.client({ company: ourSlug, sub: 'awa' });
  bob = await app.client({ company: theirSlug, sub: 'bob' });
  ours = await fill(ada);
  theirs = await fill(bob);
  await awa.get('{ viewer { id } }');
  tables = await readTables();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('every table', () => {
  it('is secured and begins its key with the company', () => {
    expect(tables.length).toBeGreaterThan(10);
    expect(tables).toEqual(
      tables.map(({ name }) => ({ name, secured: true, owner: name === 'company' ? 'id' : 'company_id' })),
    );
  });

  it('holds something here, or the tests below would prove nothing', async () => {
    const empty = [];
    for (const table of tables) {
      for (const companyId of [ours, theirs]) {
        const rows = await rowsOf(companyId, table);
        expect(rows.every((row) => row[table.owner] === companyId)).toBe(true);
        if (rows.length === 0) empty.push(table.name);
      }
    }
    expect(empty).toEqual([]);
  });

  it('shows and gives up nothing to a statement that asks for another company’s rows by name', async () => {
    for (const { name, owner } of tables) {
      const touched = await app.database.transaction(theirs, async (tx) => [
        ...(await tx.query(`SELECT 1 FROM ${name} WHERE ${owner} = $1`, [ours])),
        ...(await tx.query(`UPDATE ${name} SET ${owner} = ${owner} WHERE ${owner} = $1 RETURNING 1`, [ours])),
        ...(await tx.query(`DELETE FROM ${name} WHERE ${owner} = $1 RETURNING 1`, [ours])),
      ]);
      expect({ name, touched }).toEqual({ name, touched: [] });
    }
  });

  it('keeps its rows when another company’s statement forgets to say whose it means', async () => {
    const before = await everything(ours);
    const undone = new Error('undo');
    for (const { name, owner } of tables) {
      const work = app.database.transaction(theirs, async (tx) => {
        const updated = await tx.query<Row>(`UPDATE ${name} SET ${owner} = ${owner} RETURNING ${owner}`);
        expect(updated.length).toBeGreaterThan(0);
        expect(updated.every((row) => row[owner] === theirs)).toBe(true);
        throw undone;
      });
      await expect(work).rejects.toBe(undone);
    }
    expect(await everything(ours)).toEqual(before);
  });

  it('takes no row for another company, new or moved', async () => {
    for (const table of tables) {
      const [row] = await rowsOf(ours, table);
      const inserted = await failureOf(theirs, (tx) =>
        tx.query(
          `INSERT INTO ${table.name} SELECT (jsonb_populate_record(NULL::${table.name}, $1::jsonb)).*`,
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
    const runner = app.database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query('SET LOCAL ROLE palabre_app');
      for (const { name } of tables) {
        expect({ name, rows: await runner.query(`SELECT 1 FROM ${name}`) }).toEqual({ name, rows: [] });
      }
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('is closed to the installation’s own statements but for companies and the running of turns', async () => {
    const shown = await Promise.all(
      tables.map(async ({ name }) =>
        app.database
          .systemTransaction((tx) => tx.query(`SELECT 1 FROM ${name} LIMIT 1`))
          .then(
            () => [name],
            (error: unknown) => (sqlStateOf(error) === REFUSED ? [] : [`${name}: ${String(error)}`]),
          ),
      ),
    );
    expect(shown.flat()).toEqual(['company', 'skill_call', 'turn', 'turn_event']);
    const closed = ['arguments FROM skill_call', 'result FROM skill_call', 'member_id FROM turn'];
    for (const column of [...closed, 'idempotency_key FROM turn', 'error FROM turn']) {
      const read = app.database.systemTransaction((tx) => tx.query(`SELECT ${column}`));
      expect([column, await read.catch(sqlStateOf)]).toEqual([column, REFUSED]);
    }
    const changed = app.database.systemTransaction((tx) => tx.query(`UPDATE company SET name = 'x'`));
    await expect(changed.catch(sqlStateOf)).resolves.toBe(REFUSED);
  });
});

describe('every partition', () => {
  it('is reached through its table alone, also one that was made later', async () => {
    const { dataSource } = app.database;
    const events = { table: 'turn_event', column: 'turn_id' };
    await addPartitions(dataSource, events, { from: new Date(), days: 3 });
    const partitions = await dataSource.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r' ORDER BY relname`,
    );
    expect(partitions.map(({ name }) => name)).toContain('turn_event_rest');
    expect(partitions.length).toBeGreaterThan(4);
    for (const { name } of partitions) {
      const statements = [
        `SELECT 1 FROM ${name}`,
        `INSERT INTO ${name} SELECT * FROM turn_event LIMIT 1`,
        `UPDATE ${name} SET type = 'x'`,
        `DELETE FROM ${name}`,
        `TRUNCATE ${name}`,
        `DROP TABLE ${name}`,
      ];
      for (const statement of statements) {
        const byTenant = await failureOf(ours, (tx) => tx.query(statement));
        const byInstallation = await app.database
          .systemTransaction((tx) => tx.query(statement))
          .catch(sqlStateOf);
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
    const roles = await app.database.systemTransaction((tx) =>
      tx.query(
        `SELECT rolname, rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole OR rolcreatedb AS powerful,
                (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS memberships
         FROM pg_roles r WHERE rolname LIKE 'palabre\\_%' ORDER BY rolname`,
      ),
    );
    expect(roles).toEqual([
      { rolname: 'palabre_app', powerful: false, memberships: 0 },
      { rolname: 'palabre_system', powerful: false, memberships: 0 },
    ]);
  });

  it('has no view and no function that would run with its owner’s rights', async () => {
    const ways = await app.database.systemTransaction((tx) =>
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

/** How to ask for an id, for every argument of the API that takes one: a new one has to be added here. */
const askFor: Record<string, (id: string) => [operation: string, variables: Record<string, unknown>]> = {
  'Query.node(id)': (id) => ['query ($id: ID!) { node(id: $id) { __typename id } }', { id }],
  'Query.conversation(id)': (id) => ['query ($id: ID!) { conversation(id: $id) { id title } }', { id }],
  'Query.turn(id)': (id) => ['query ($id: ID!) { turn(id: $id) { id question { text } } }', { id }],
  'Mutation.cancelTurn(id)': (id) => ['mutation ($id: ID!) { cancelTurn(id: $id) { id } }', { id }],
  'Mutation.deleteConversation(id)': (id) => ['mutation ($id: ID!) { deleteConversation(id: $id) }', { id }],
  'Mutation.startTurn(input.conversationId)': (conversationId) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { conversationId, message: 'Et moi ?' } },
  ],
  'Mutation.startTurn(input.documentIds)': (id) => [
    'mutation ($input: StartTurnInput!) { startTurn(input: $input) { __typename } }',
    { input: { assistantKey: 'mefali', message: 'Et moi ?', documentIds: [id] } },
  ],
  'Subscription.turnEvents(turnId)': (id) => [
    'subscription ($id: ID!) { turnEvents(turnId: $id) { __typename } }',
    { id },
  ],
};

/** Where the API takes an id: `Type.field(path.of.the.argument)`. */
const idArguments = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => type instanceof GraphQLObjectType && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values((type as GraphQLObjectType).getFields()).flatMap((field) =>
        field.args.flatMap(idPaths).map((path) => `${type.name}.${field.name}(${path})`),
      ),
    );

const idPaths = ({ name, type }: GraphQLArgument | GraphQLInputField): string[] => {
  const named = getNamedType(type);
  if (named.name === 'ID') return [name];
  if (!isInputObjectType(named)) return [];
  return Object.values(named.getFields()).flatMap((field) => idPaths(field).map((path) => `${name}.${path}`));
};

/** What `client` is answered, with the id taken out of it. */
const answerTo = async (client: TestClient, argument: string, id: string): Promise<string> => {
  const [query, variables] = askFor[argument]!(id);
  const answers = argument.startsWith('Subscription.')
    ? await Array.fromAsync(client.socket().iterate({ query, variables }))
    : [await client.send(query, variables)];
  return JSON.stringify(answers).replaceAll(JSON.stringify(id), '"the id"');
};

/** Every id that the company has rows of, by table. */
const idsOf = async (companyId: string): Promise<{ table: string; id: string }[]> => {
  const found = await Promise.all(
    tables.map(async (table) =>
      (await rowsOf(companyId, table)).map((row) => ({
        table: table.name,
        id: row.id as string | undefined,
      })),
    ),
  );
  return found.flat().flatMap(({ table, id }) => (id ? [{ table, id }] : []));
};

describe('an id', () => {
  it('has a test below wherever the API takes one', async () => {
    const schema = buildClientSchema(await ada.get<IntrospectionQuery>(getIntrospectionQuery()));
    expect(Object.keys(askFor).toSorted()).toEqual(idArguments(schema).toSorted());
  });

  it.each(Object.keys(askFor))('of another company is like one that never was: %s', async (argument) => {
    const before = await everything(ours);
    const absent = await answerTo(bob, argument, newId());
    expect(absent).toMatch(/"code":"NOT_FOUND"|"data":\{"\w+":null\},"httpStatus":200/);
    for (const { table, id } of await idsOf(ours)) {
      expect([table, await answerTo(bob, argument, id)]).toEqual([table, absent]);
    }
    expect(await everything(ours)).toEqual(before);
  });

  it.each(Object.keys(askFor))('of a colleague is like one that never was: %s', async (argument) => {
    // What everybody in the company may see, and node tells by id.
    const shared = argument === 'Query.node(id)' ? ['assistant', 'company', 'skill'] : [];
    const before = await everything(ours);
    const absent = await answerTo(awa, argument, newId());
    for (const { table, id } of await idsOf(ours)) {
      if (!shared.includes(table)) {
        expect([table, await answerTo(awa, argument, id)]).toEqual([table, absent]);
      }
    }
    expect(await everything(ours)).toEqual(before);
  });

  it.each(Object.keys(askFor))('that cannot be one is like one that never was: %s', async (argument) => {
    const absent = await answerTo(bob, argument, newId());
    const noIds = ['no-id', ' ', '\0', "' OR true --", '0', '{00000000-0000-0000-0000-000000000000}', 'é'];
    for (const id of noIds) expect([id, await answerTo(bob, argument, id)]).toEqual([id, absent]);
  });
});

describe('the API', () => {
  it('lists the viewer’s own conversations only', async () => {
    const query = '{ conversations { edges { node { title } } } }';
    expect(await awa.get(query)).toEqual({ conversations: { edges: [] } });
    expect(await ada.get(query)).toEqual({
      conversations: { edges: [{ node: { title: 'Qui sommes-nous ?' } }] },
    });
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

  it('switches the viewer’s company’s skills only', async () => {
    const before = await everything(ours);
    await bob.get('mutation { setSkillActive(key: "get_company_profile", active: false) { active } }');
    expect(await everything(ours)).toEqual(before);
  });
});
