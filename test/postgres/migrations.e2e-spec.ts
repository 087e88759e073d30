import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';

import { loadMigrations, migrate } from '../../src/platform/database/migrate.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.js';
import { onServer as superuserRuns, testDatabaseUrl, urlOfDatabase } from '../harness/test-server.js';

const onServer = testDatabaseUrl === null ? describe.skip : describe;

class AddTable1000000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<unknown> => runner.query('CREATE TABLE other (id integer)');
  down = async (): Promise<void> => undefined;
}

class AddColumn2000000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<unknown> => runner.query('ALTER TABLE probe ADD COLUMN name text');
  down = async (): Promise<void> => undefined;
}

onServer('a migration of a table that is in use', () => {
  let testDatabase: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ isEmpty: true });
    dataSource = new DataSource({
      type: 'postgres',
      url: testDatabase.location.database.url ?? '',
      migrations: [AddTable1000000000000, AddColumn2000000000000],
      migrationsTableName: 'migration',
      logging: false,
    });
    await dataSource.initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await testDatabase[Symbol.asyncDispose]();
  });

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: testDatabase.location.database.url ?? '' });
    await client.connect();
    return client;
  };

  it('lets others read meanwhile, is tried until they leave it, and what came before it is done once', async () => {
    const [holder, reader] = [await connect(), await connect()];
    await holder.query('CREATE TABLE probe (id integer)');
    await holder.query('BEGIN');
    await holder.query('SELECT FROM probe');
    const locked = Promise.withResolvers<void>();
    const tries: number[] = [];
    const migrating = migrate(dataSource, {
      onOther: () => undefined,
      onLocked: (tried) => {
        tries.push(tried);
        if (tried === 2) locked.resolve();
      },
    });
    await Promise.race([locked.promise, migrating]);
    await reader.query(`SET statement_timeout = '10s'`);
    await reader.query('SELECT FROM probe');
    await holder.query('COMMIT');
    await migrating;
    expect(tries.slice(0, 2)).toEqual([1, 2]);
    const { rows } = await reader.query(
      `SELECT (SELECT array_agg(name ORDER BY id) FROM migration) AS migrations, current_setting('lock_timeout') AS waits,
         (SELECT count(*)::int FROM information_schema.columns WHERE table_name = 'probe') AS columns`,
    );
    expect(rows).toEqual([
      { migrations: ['AddTable1000000000000', 'AddColumn2000000000000'], waits: '0', columns: 2 },
    ]);
    await Promise.all([holder.end(), reader.end()]);
  });
});

onServer('a migration that fails', () => {
  it('prints nothing beside the log: who starts the server decides how it is told', async () => {
    await using testDatabase = await createTestDatabase({ isEmpty: true, hasPlainOwner: true });
    const { username } = new URL(testDatabase.location.database.url ?? '');
    await superuserRuns(`REVOKE palabre_app, palabre_system FROM ${username}`);
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    try {
      await expect(openDatabase(testDatabase.location, [])).rejects.toThrow(
        `GRANT palabre_app TO ${username};`,
      );
      expect(printed).not.toHaveBeenCalled();
    } finally {
      printed.mockRestore();
    }
  });
});

onServer('what was there before a migration', () => {
  const [COMPANY, MEMBER, OTHER, QUESTION, ANSWER] = ['01', '02', '03', '04', '05'].map(
    (end) => `01990000-0000-7000-8000-0000000000${end}`,
  );
  let testDatabase: TestDatabase;
  let superuser: pg.Client;

  beforeAll(async () => {
    testDatabase = await createTestDatabase({ isEmpty: true, hasPlainOwner: true });
    const { pathname } = new URL(testDatabase.location.database.url ?? '');
    superuser = new pg.Client({ connectionString: urlOfDatabase(pathname.slice(1)) });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await testDatabase[Symbol.asyncDispose]();
  });

  /** As the owner, who is no superuser; up to the one of this name, or all. */
  const migrateUpTo = async (last?: string): Promise<void> => {
    const all = await loadMigrations();
    const dataSource = new DataSource({
      type: 'postgres',
      url: testDatabase.location.database.url ?? '',
      migrations: last === undefined ? all : all.slice(0, all.findIndex(({ name }) => name === last) + 1),
      migrationsTableName: 'migration',
      logging: false,
    });
    await dataSource.initialize();
    try {
      await migrate(dataSource, { onOther: () => undefined, onLocked: () => undefined });
    } finally {
      await dataSource.destroy();
    }
  };

  it('is there behind it, though the owner of the tables is no superuser', async () => {
    await migrateUpTo('GroundFloor1795305600000');
    await superuser.query(`
      INSERT INTO company (id, slug, name) VALUES ('${COMPANY}', 'a', 'A');
      INSERT INTO member (company_id, id, subject, name) VALUES ('${COMPANY}', '${MEMBER}', 'ada', 'Ada');
      INSERT INTO assistant (company_id, id, key, name, language, strategy, max_steps, max_seconds, max_output_tokens)
        VALUES ('${COMPANY}', '${OTHER}', 'therese', 'Thérèse', 'fr', 'REACTIVE', 5, 60, 100);
      INSERT INTO conversation (company_id, id, member_id, assistant_id)
        VALUES ('${COMPANY}', '${OTHER}', '${MEMBER}', '${OTHER}');
      INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, created_at)
        VALUES ('${COMPANY}', '${OTHER}', '${OTHER}', '${MEMBER}', 'ADMIN', '${OTHER}', '${OTHER}', now() - interval '3 days');
      INSERT INTO turn_event (company_id, turn_id, sequence, type, data)
        VALUES ('${COMPANY}', '${OTHER}', 1, 'text-delta', '{"text": "Bonjour"}')`);
    await migrateUpTo('ApiKeys1795910400000');
    await superuser.query(`
      INSERT INTO api_key (company_id, id, member_id, name, role, digest)
        VALUES ('${COMPANY}', '${OTHER}', '${MEMBER}', 'Reports', 'MEMBER', 'digest');
      INSERT INTO audit_entry (company_id, id, member_id, action, subject)
        VALUES ('${COMPANY}', '${OTHER}', '${MEMBER}', 'api-key.created', '${OTHER}')`);
    await migrateUpTo('ModelProviders1796250000000');
    await superuser.query(`
      UPDATE conversation SET summary = 'They greeted each other.', summarised_until = '${QUESTION}';
      INSERT INTO message (company_id, id, conversation_id, turn_id, role, status, text)
        VALUES ('${COMPANY}', '${QUESTION}', '${OTHER}', '${OTHER}', 'USER', 'COMPLETE', 'Bonjour ?'),
          ('${COMPANY}', '${ANSWER}', '${OTHER}', '${OTHER}', 'ASSISTANT', 'COMPLETE', 'Bonjour.');
      UPDATE turn SET status = 'WAITING_FOR_APPROVAL';
      INSERT INTO approval (company_id, id, turn_id, member_id, call_id, skill, arguments, step, preamble, model_call_id,
          model_arguments, asker_may_approve, expires_at)
        VALUES ('${COMPANY}', '${OTHER}', '${OTHER}', '${MEMBER}', '${OTHER}', 'send', '{"to": "ada"}', 1, '', 'call-1',
          '{"to": "ada"}', true, now() + interval '1 hour')`);
    await migrateUpTo('TurnAssistant1796410000000');
    // One memory has two spellings that become the same name, another one of them.
    await superuser.query(`
      INSERT INTO memory (company_id, id, lineage_id, kind, subject, subject_key, content, source, valid_from)
        VALUES ('${COMPANY}', '${MEMBER}', '${MEMBER}', 'FACT', 'a', 'a', 'a', 'USER', now()),
          ('${COMPANY}', '${OTHER}', '${OTHER}', 'FACT', 'b', 'b', 'b', 'USER', now());
      INSERT INTO memory_name (company_id, memory_id, key)
        VALUES ('${COMPANY}', '${MEMBER}', 'ŋala'), ('${COMPANY}', '${MEMBER}', 'nala'), ('${COMPANY}', '${OTHER}', 'ŋala')`);
    await migrateUpTo();
    const { rows } = await superuser.query(`
      SELECT (SELECT data FROM turn_event) AS event, (SELECT recalls_conversations FROM assistant) AS recalls,
        (SELECT created_by FROM api_key) AS "keyBy", (SELECT array_agg(relname::text) FROM pg_class
         WHERE relrowsecurity AND NOT relforcerowsecurity) AS "unforced",
        (SELECT shown_branch_id FROM conversation) AS shown,
        (SELECT json_agg(json_build_array(id, branch_id, text) ORDER BY id) FROM message) AS messages,
        (SELECT json_agg(json_build_array(branch_id, until_id, text)) FROM conversation_summary) AS summaries,
        (SELECT json_agg(json_build_array(id, kind, status, skill, arguments)) FROM pending_input) AS inputs,
        (SELECT json_agg(json_build_array(memory_id, key) ORDER BY memory_id) FROM memory_name) AS names`);
    expect(rows).toEqual([
      {
        event: { text: 'Bonjour' },
        recalls: true,
        keyBy: MEMBER,
        unforced: null,
        shown: OTHER,
        messages: [
          [QUESTION, OTHER, 'Bonjour ?'],
          [ANSWER, OTHER, 'Bonjour.'],
        ],
        summaries: [[OTHER, QUESTION, 'They greeted each other.']],
        inputs: [[OTHER, 'APPROVAL', 'PENDING', 'send', { to: 'ada' }]],
        names: [
          [MEMBER, 'nala'],
          [OTHER, 'nala'],
        ],
      },
    ]);
  });
});
