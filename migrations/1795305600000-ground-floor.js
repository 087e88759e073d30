/** Companies, members, assistants, conversations, turns with their event log, skills; roles and row-level security. */

const TENANT_TABLES = [
  'member',
  'audit_entry',
  'assistant',
  'prompt_version',
  'conversation',
  'message',
  'turn',
  'turn_event',
  'skill_call',
  'skill',
];

// Roles belong to the whole server, so another database's migration may be making them at this very moment.
const createRole = (role) => `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    END IF;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
  END $$;
  -- From 16 on, whoever makes a role is its member without the right to SET ROLE to it.
  DO $$ BEGIN
    IF NOT pg_has_role(current_user, '${role}',
        CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
      EXECUTE format('GRANT ${role} TO %I', current_user);
    END IF;
  END $$`;

const TABLES = `
  CREATE TABLE company (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    sector text,
    country text,
    city text,
    headcount integer,
    revenue_amount double precision,
    revenue_currency text,
    environmental_practices text[] NOT NULL DEFAULT '{}',
    declared_goals text[] NOT NULL DEFAULT '{}',
    attributes jsonb NOT NULL DEFAULT '{}',
    language text NOT NULL DEFAULT 'fr',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT company_headcount CHECK (headcount >= 0),
    CONSTRAINT company_pkey PRIMARY KEY (id)
  );
  CREATE TABLE member (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    subject text NOT NULL,
    name text NOT NULL,
    email text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT member_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE audit_entry (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT audit_entry_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE assistant (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    name text NOT NULL,
    language text NOT NULL,
    strategy text NOT NULL,
    model text,
    max_steps integer NOT NULL,
    max_seconds integer NOT NULL,
    max_output_tokens integer NOT NULL,
    prompt_version integer,
    CONSTRAINT assistant_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE prompt_version (
    company_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    version integer NOT NULL,
    template text NOT NULL,
    published_at timestamptz(3),
    published_by text,
    note text,
    CONSTRAINT prompt_version_pkey PRIMARY KEY (company_id, assistant_id, version)
  );
  CREATE TABLE conversation (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    title text,
    summary text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT conversation_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE message (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    turn_id uuid,
    role text NOT NULL,
    status text NOT NULL,
    text text NOT NULL,
    citations jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT message_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE turn (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    member_id uuid NOT NULL,
    role text NOT NULL,
    question_id uuid NOT NULL,
    answer_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'QUEUED',
    finish_reason text,
    idempotency_key text,
    payload_hash text,
    attempt integer NOT NULL DEFAULT 0,
    lease_until timestamptz(3),
    stop_reason text,
    last_sequence integer NOT NULL DEFAULT 0,
    input_tokens integer NOT NULL DEFAULT 0,
    output_tokens integer NOT NULL DEFAULT 0,
    cached_input_tokens integer NOT NULL DEFAULT 0,
    model_calls integer NOT NULL DEFAULT 0,
    skill_calls integer NOT NULL DEFAULT 0,
    cost_usd double precision,
    error jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    started_at timestamptz(3),
    finished_at timestamptz(3),
    CONSTRAINT turn_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE turn_event (
    company_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    sequence integer NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT now(),
    type text NOT NULL,
    data jsonb NOT NULL,
    CONSTRAINT turn_event_pkey PRIMARY KEY (company_id, turn_id, sequence)
  );
  CREATE TABLE skill_call (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    turn_id uuid NOT NULL,
    skill text NOT NULL,
    arguments jsonb NOT NULL,
    status text NOT NULL,
    result_preview text,
    started_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    CONSTRAINT skill_call_pkey PRIMARY KEY (company_id, id)
  );
  CREATE TABLE skill (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    kind text NOT NULL,
    active boolean NOT NULL DEFAULT true,
    requires_approval boolean NOT NULL DEFAULT false,
    CONSTRAINT skill_pkey PRIMARY KEY (company_id, id)
  );
  CREATE UNIQUE INDEX assistant_key ON assistant (company_id, key);
  CREATE UNIQUE INDEX company_slug ON company (slug);
  CREATE UNIQUE INDEX member_subject ON member (company_id, subject);
  CREATE INDEX conversation_recent ON conversation (company_id, member_id, updated_at, id);
  CREATE INDEX message_turn ON message (company_id, turn_id);
  CREATE INDEX message_order ON message (company_id, conversation_id, id);
  CREATE UNIQUE INDEX skill_key ON skill (company_id, key);
  CREATE UNIQUE INDEX turn_idempotency ON turn (company_id, member_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
  CREATE UNIQUE INDEX turn_one_active ON turn (company_id, conversation_id) WHERE status IN ('RUNNING', 'WAITING_FOR_APPROVAL');
  CREATE INDEX turn_unfinished ON turn (company_id, conversation_id, id) WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED');
  CREATE INDEX turn_conversation ON turn (company_id, conversation_id, id);
  CREATE INDEX skill_call_turn ON skill_call (company_id, turn_id, id);
  ALTER TABLE assistant ADD CONSTRAINT assistant_company_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE prompt_version ADD CONSTRAINT prompt_version_assistant_fkey FOREIGN KEY (company_id, assistant_id) REFERENCES assistant(company_id,id) ON DELETE CASCADE;
  ALTER TABLE audit_entry ADD CONSTRAINT audit_entry_company_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE member ADD CONSTRAINT member_company_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE conversation ADD CONSTRAINT conversation_assistant_fkey FOREIGN KEY (company_id, assistant_id) REFERENCES assistant(company_id,id) DEFERRABLE INITIALLY DEFERRED;
  ALTER TABLE conversation ADD CONSTRAINT conversation_member_fkey FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  ALTER TABLE message ADD CONSTRAINT message_conversation_fkey FOREIGN KEY (company_id, conversation_id) REFERENCES conversation(company_id,id) ON DELETE CASCADE;
  ALTER TABLE skill ADD CONSTRAINT skill_company_fkey FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE turn ADD CONSTRAINT turn_conversation_fkey FOREIGN KEY (company_id, conversation_id) REFERENCES conversation(company_id,id) ON DELETE CASCADE;
  ALTER TABLE skill_call ADD CONSTRAINT skill_call_turn_fkey FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id,id) ON DELETE CASCADE;
  ALTER TABLE turn_event ADD CONSTRAINT turn_event_turn_fkey FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id,id) ON DELETE CASCADE`;

// An unset company is NULL, and NULL equals nothing: who forgets to say which company sees none.
const CURRENT_COMPANY = `
  CREATE FUNCTION current_company_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('palabre.company_id', true), '')::uuid`;

const secure = (table, column) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (${column} = current_company_id()) WITH CHECK (${column} = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// A token names its company by slug, before there is a company to be a tenant of.
const SYSTEM = `
  CREATE POLICY installation ON company TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT, INSERT ON company TO palabre_system`;

export class GroundFloor1795305600000 {
  name = 'GroundFloor1795305600000';

  async up(runner) {
    await runner.query(createRole('palabre_app'));
    await runner.query(createRole('palabre_system'));
    await runner.query(TABLES);
    await runner.query(CURRENT_COMPANY);
    await runner.query(secure('company', 'id'));
    for (const table of TENANT_TABLES) await runner.query(secure(table, 'company_id'));
    await runner.query(SYSTEM);
  }

  async down(runner) {
    await runner.query(`DROP TABLE ${[...TENANT_TABLES, 'company'].join(', ')} CASCADE`);
    await runner.query('DROP FUNCTION current_company_id()');
  }
}
