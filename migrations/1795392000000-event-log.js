/**
 * The event log in partitions by time, skill calls that a turn can go on from, and the rights of the installation's
 * own statements, which store events and renew leases for all companies at once.
 */

const UNFINISHED = `status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`;

const DAY_MS = 86_400_000;

// A turn's id is a UUIDv7, which begins with its time: partitioned by it, a turn's events stay together, its key
// stays what it was, and a query for one turn looks into one partition.
const firstId = (ms) => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

const partition = (ms) => {
  const day = new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
  return `CREATE TABLE turn_event_${day} PARTITION OF turn_event
    FOR VALUES FROM ('${firstId(ms)}') TO ('${firstId(ms + DAY_MS)}')`;
};

// No foreign key to the turn: it would look the turn up again for every row, which the statement that adds rows has
// locked already. Whoever removes turns removes their events.
const EVENTS = `
  ALTER TABLE turn_event RENAME TO turn_event_before;
  ALTER TABLE turn_event_before RENAME CONSTRAINT turn_event_pkey TO turn_event_before_pkey;
  CREATE TABLE turn_event (
    company_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    sequence integer NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    type text NOT NULL,
    data jsonb NOT NULL,
    CONSTRAINT turn_event_pkey PRIMARY KEY (company_id, turn_id, sequence)
  ) PARTITION BY RANGE (turn_id);
  CREATE TABLE turn_event_rest PARTITION OF turn_event DEFAULT`;

// Partitions are reached through their parent, whose policies hold; nobody has rights on them themselves.
const SECURE_EVENTS = `
  ALTER TABLE turn_event ENABLE ROW LEVEL SECURITY;
  ALTER TABLE turn_event FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON turn_event TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON turn_event TO palabre_app`;

// Those that a turn is run again from: what the model wrote, in which step, and what it was answered.
const SKILL_CALLS = `
  ALTER TABLE skill_call
    ADD COLUMN step integer NOT NULL DEFAULT 0,
    ADD COLUMN preamble text NOT NULL DEFAULT '',
    ADD COLUMN model_call_id text NOT NULL DEFAULT '',
    ADD COLUMN model_arguments text NOT NULL DEFAULT '',
    ADD COLUMN result text`;

// The turn's row is written with every batch of events: free room on its page keeps that from touching any index.
const TURNS = `
  ALTER TABLE turn ADD COLUMN lost_leases integer NOT NULL DEFAULT 0;
  ALTER TABLE turn SET (fillfactor = 60);
  CREATE INDEX turn_lease ON turn (lease_until) WHERE ${UNFINISHED};
  CREATE INDEX turn_member_unfinished ON turn (company_id, member_id) WHERE ${UNFINISHED}`;

// By column: the installation's statements read no question, no answer and no key of anybody's.
const RIGHTS = `
  CREATE POLICY installation ON turn TO palabre_system USING (true) WITH CHECK (true);
  CREATE POLICY installation ON turn_event TO palabre_system USING (true) WITH CHECK (true);
  CREATE POLICY installation ON skill_call TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT (company_id, id, conversation_id, status, attempt, last_sequence, lease_until, stop_reason, created_at)
    ON turn TO palabre_system;
  GRANT UPDATE (last_sequence, lease_until, input_tokens, output_tokens, cached_input_tokens, model_calls, skill_calls)
    ON turn TO palabre_system;
  GRANT SELECT, INSERT ON turn_event TO palabre_system;
  GRANT INSERT, SELECT (company_id, turn_id, id), UPDATE (status, result_preview, result, finished_at)
    ON skill_call TO palabre_system`;

// Row-level security holds the owner of the tables too, who would find no row, and this is for all companies at once.
const freely = (table, statement) => `
  ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;
  ${statement};
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`;

const secondsOf = async (runner, extreme) => {
  const [{ ms }] = await runner.query(
    `SELECT (${extreme}(extract(epoch FROM created_at)) * 1000)::bigint AS ms FROM turn`,
  );
  return ms === null ? Date.now() : Number(ms);
};

export class EventLog1795392000000 {
  name = 'EventLog1795392000000';

  async up(runner) {
    await runner.query(EVENTS);
    await runner.query('ALTER TABLE turn NO FORCE ROW LEVEL SECURITY');
    const oldest = await secondsOf(runner, 'min');
    await runner.query('ALTER TABLE turn FORCE ROW LEVEL SECURITY');
    const first = Math.floor(Math.min(oldest, Date.now()) / DAY_MS) * DAY_MS;
    for (let day = first; day <= Date.now() + DAY_MS; day += DAY_MS) await runner.query(partition(day));
    await runner.query(freely('turn_event_before', 'INSERT INTO turn_event SELECT * FROM turn_event_before'));
    await runner.query('DROP TABLE turn_event_before');
    await runner.query(SECURE_EVENTS);
    await runner.query(SKILL_CALLS);
    await runner.query(TURNS);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`
      CREATE TABLE turn_event_whole (LIKE turn_event INCLUDING DEFAULTS);
      ${freely('turn_event', 'INSERT INTO turn_event_whole SELECT * FROM turn_event')};
      DROP TABLE turn_event;
      ALTER TABLE turn_event_whole RENAME TO turn_event;
      ALTER TABLE turn_event ADD CONSTRAINT turn_event_pkey PRIMARY KEY (company_id, turn_id, sequence);
      ALTER TABLE turn_event ADD CONSTRAINT turn_event_turn_fkey
        FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id, id) ON DELETE CASCADE;
      ${SECURE_EVENTS};
      DROP POLICY installation ON turn;
      DROP POLICY installation ON skill_call;
      REVOKE ALL ON turn, skill_call FROM palabre_system;
      DROP INDEX turn_lease, turn_member_unfinished;
      ALTER TABLE turn RESET (fillfactor);
      ALTER TABLE turn DROP COLUMN lost_leases;
      ALTER TABLE skill_call DROP COLUMN step, DROP COLUMN preamble, DROP COLUMN model_call_id,
        DROP COLUMN model_arguments, DROP COLUMN result`);
  }
}
