/**
 * What the agent keeps besides its events: questions to people, model calls with their prompts, what was used up and
 * what is granted, notifications, and the state of plans and summaries.
 */

const DAY_MS = 86_400_000;

const firstId = (ms) => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
};

const partition = (ms) => {
  const day = new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');
  return `CREATE TABLE model_call_${day} PARTITION OF model_call
    FOR VALUES FROM ('${firstId(ms)}') TO ('${firstId(ms + DAY_MS)}')`;
};

// A larger budget for what nobody waits for; admins may change it.
const ASSISTANTS = `
  ALTER TABLE assistant
    ADD COLUMN background_max_steps integer NOT NULL DEFAULT 30,
    ADD COLUMN background_max_seconds integer NOT NULL DEFAULT 900`;

// Up to which message the summary has taken in what left the window.
const CONVERSATIONS = `
  ALTER TABLE conversation ADD COLUMN summarised_until uuid`;

// No statement looks for messages by their turn.
const MESSAGES = `
  DROP INDEX message_turn`;

const SKILLS = `
  ALTER TABLE skill ADD COLUMN asker_may_approve boolean NOT NULL DEFAULT false`;

// A turn in the background may wait for people while its conversation is busy with another one.
const TURNS = `
  ALTER TABLE turn ADD COLUMN background_at timestamptz(3);
  DROP INDEX turn_one_active;
  CREATE UNIQUE INDEX turn_one_active ON turn (company_id, conversation_id)
    WHERE status IN ('RUNNING', 'WAITING_FOR_APPROVAL') AND background_at IS NULL`;

// What is put to a person carries all that its skill call needs once it is allowed, whoever runs the turn then.
const APPROVALS = `
  CREATE TABLE approval (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    call_id uuid NOT NULL,
    skill text NOT NULL,
    arguments jsonb NOT NULL,
    step integer NOT NULL,
    preamble text NOT NULL,
    model_call_id text NOT NULL,
    model_arguments text NOT NULL,
    asker_may_approve boolean NOT NULL,
    reason text,
    status text NOT NULL DEFAULT 'PENDING',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    resolved_at timestamptz(3),
    resolved_by uuid,
    comment text,
    CONSTRAINT approval_pkey PRIMARY KEY (company_id, id)
  );
  CREATE INDEX approval_turn ON approval (company_id, turn_id, id);
  CREATE INDEX approval_pending ON approval (company_id, id) WHERE status = 'PENDING';
  ALTER TABLE approval ADD CONSTRAINT approval_turn_fkey
    FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id,id) ON DELETE CASCADE`;

const NOTIFICATIONS = `
  CREATE TABLE notification (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    turn_id uuid,
    read_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT notification_pkey PRIMARY KEY (company_id, id)
  );
  CREATE INDEX notification_member ON notification (company_id, member_id, id);
  CREATE INDEX notification_unread ON notification (company_id, member_id, id) WHERE read_at IS NULL;
  CREATE INDEX notification_turn ON notification (company_id, turn_id) WHERE turn_id IS NOT NULL;
  ALTER TABLE notification ADD CONSTRAINT notification_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE`;

// As long as events, and for the same reason in the same partitions; like them without a foreign key to the turn.
const MODEL_CALLS = `
  CREATE TABLE model_call (
    company_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    id uuid NOT NULL,
    purpose text NOT NULL,
    model text NOT NULL,
    kept integer NOT NULL,
    messages jsonb NOT NULL,
    tools text NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    cached_input_tokens integer NOT NULL,
    reasoning_tokens integer NOT NULL,
    source text NOT NULL,
    cost_usd double precision,
    outcome text NOT NULL,
    duration_ms integer NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT model_call_pkey PRIMARY KEY (company_id, turn_id, id)
  ) PARTITION BY RANGE (turn_id);
  CREATE TABLE model_call_rest PARTITION OF model_call DEFAULT`;

// What a member's prompts begin with, and the skills they offer, is the same for days: it is stored once, and kept
// while calls may point at it.
const PROMPT_TEXTS = `
  CREATE TABLE prompt_text (
    company_id uuid NOT NULL,
    member_id uuid NOT NULL,
    digest text NOT NULL,
    content text NOT NULL,
    used_on date NOT NULL,
    CONSTRAINT prompt_text_pkey PRIMARY KEY (company_id, member_id, digest)
  );
  CREATE INDEX prompt_text_used ON prompt_text (used_on);
  ALTER TABLE prompt_text ADD CONSTRAINT prompt_text_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE`;

// One row for what is asked about: kept for good, small, and what quotas are counted by.
const USAGE = `
  CREATE TABLE usage_day (
    company_id uuid NOT NULL,
    day date NOT NULL,
    member_id uuid NOT NULL,
    assistant_key text NOT NULL,
    model text NOT NULL,
    model_calls integer NOT NULL DEFAULT 0,
    estimated_calls integer NOT NULL DEFAULT 0,
    unpriced_calls integer NOT NULL DEFAULT 0,
    input_tokens bigint NOT NULL DEFAULT 0,
    output_tokens bigint NOT NULL DEFAULT 0,
    cached_input_tokens bigint NOT NULL DEFAULT 0,
    cost_usd double precision NOT NULL DEFAULT 0,
    CONSTRAINT usage_day_pkey PRIMARY KEY (company_id, day, member_id, assistant_key, model)
  );
  ALTER TABLE usage_day ADD CONSTRAINT usage_day_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  CREATE TABLE quota (
    company_id uuid NOT NULL,
    subject text NOT NULL,
    period text NOT NULL,
    max_tokens bigint,
    max_cost_usd double precision,
    CONSTRAINT quota_pkey PRIMARY KEY (company_id, subject, period)
  );
  ALTER TABLE quota ADD CONSTRAINT quota_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

const TENANT_TABLES = ['approval', 'notification', 'model_call', 'prompt_text', 'usage_day', 'quota'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// The installation's own statements store model calls for all companies at once, and remove the texts of old ones.
const RIGHTS = `
  CREATE POLICY installation ON model_call TO palabre_system USING (true) WITH CHECK (true);
  CREATE POLICY installation ON prompt_text TO palabre_system USING (true) WITH CHECK (true);
  CREATE POLICY installation ON usage_day TO palabre_system USING (true) WITH CHECK (true);
  GRANT INSERT ON model_call TO palabre_system;
  GRANT SELECT (company_id, member_id, digest, used_on), INSERT, UPDATE (used_on), DELETE ON prompt_text
    TO palabre_system;
  GRANT SELECT, INSERT, UPDATE (model_calls, estimated_calls, unpriced_calls, input_tokens, output_tokens,
    cached_input_tokens, cost_usd) ON usage_day TO palabre_system;
  GRANT SELECT (background_at), UPDATE (status, background_at, cost_usd) ON turn TO palabre_system`;

export class Agent1795564800000 {
  name = 'Agent1795564800000';

  async up(runner) {
    await runner.query(ASSISTANTS);
    await runner.query(CONVERSATIONS);
    await runner.query(MESSAGES);
    await runner.query(SKILLS);
    await runner.query(TURNS);
    await runner.query(APPROVALS);
    await runner.query(NOTIFICATIONS);
    await runner.query(MODEL_CALLS);
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    for (const day of [today, today + DAY_MS]) await runner.query(partition(day));
    await runner.query(PROMPT_TEXTS);
    await runner.query(USAGE);
    for (const table of TENANT_TABLES) await runner.query(secure(table));
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`
      REVOKE SELECT (background_at), UPDATE (status, background_at, cost_usd) ON turn FROM palabre_system;
      DROP TABLE ${TENANT_TABLES.join(', ')};
      DROP INDEX turn_one_active;
      ALTER TABLE turn DROP COLUMN background_at;
      CREATE UNIQUE INDEX turn_one_active ON turn (company_id, conversation_id)
        WHERE status IN ('RUNNING', 'WAITING_FOR_APPROVAL');
      CREATE INDEX message_turn ON message (company_id, turn_id);
      ALTER TABLE skill DROP COLUMN asker_may_approve;
      ALTER TABLE conversation DROP COLUMN summarised_until;
      ALTER TABLE assistant DROP COLUMN background_max_steps, DROP COLUMN background_max_seconds`);
  }
}
