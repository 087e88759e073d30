/** Skills that companies bring themselves (packs, HTTP, MCP servers), what switches them, and files. */

// Null assistants: as shipped. A skill's row is small, as it is read before every model call.
const SKILLS = `
  ALTER TABLE skill
    ADD COLUMN least_role text NOT NULL DEFAULT 'MEMBER',
    ADD COLUMN assistants text[],
    ADD COLUMN revision integer NOT NULL DEFAULT 1,
    ADD COLUMN own boolean NOT NULL DEFAULT false,
    ADD COLUMN server_id uuid;
  ALTER TABLE skill_call ADD COLUMN details jsonb`;

// What a company's own skill is. \`revision\` of its row counts the changes, for those who keep a copy.
const DEFINITIONS = `
  CREATE TABLE skill_definition (
    company_id uuid NOT NULL,
    skill_id uuid NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    category text,
    parameters jsonb,
    idempotent boolean NOT NULL DEFAULT false,
    timeout_ms integer NOT NULL,
    settings jsonb NOT NULL,
    secrets text,
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT skill_definition_pkey PRIMARY KEY (company_id, skill_id)
  );
  ALTER TABLE skill_definition ADD CONSTRAINT skill_definition_skill_fkey
    FOREIGN KEY (company_id, skill_id) REFERENCES skill(company_id,id) ON DELETE CASCADE`;

const MCP_SERVERS = `
  CREATE TABLE mcp_server (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    url text NOT NULL,
    header_names text[] NOT NULL,
    secrets text,
    timeout_ms integer NOT NULL,
    trust_annotations boolean NOT NULL DEFAULT false,
    checked_at timestamptz(3),
    failure text,
    notes text[] NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT mcp_server_pkey PRIMARY KEY (company_id, id)
  );
  CREATE UNIQUE INDEX mcp_server_key ON mcp_server (company_id, key);
  ALTER TABLE mcp_server ADD CONSTRAINT mcp_server_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE skill ADD CONSTRAINT skill_server_fkey
    FOREIGN KEY (company_id, server_id) REFERENCES mcp_server(company_id,id) ON DELETE CASCADE;
  CREATE INDEX skill_server ON skill (company_id, server_id) WHERE server_id IS NOT NULL`;

const FILES = `
  CREATE TABLE stored_file (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    bytes integer NOT NULL,
    sha256 text NOT NULL,
    storage_key text NOT NULL,
    turn_id uuid,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT stored_file_pkey PRIMARY KEY (company_id, id)
  );
  CREATE INDEX stored_file_member ON stored_file (company_id, member_id, id);
  ALTER TABLE stored_file ADD CONSTRAINT stored_file_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE`;

// A ticket for one upload: single use, soon over.
const UPLOADS = `
  CREATE TABLE upload (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    purpose text NOT NULL,
    subject_id uuid,
    name text NOT NULL,
    media_type text NOT NULL,
    max_bytes integer NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT upload_pkey PRIMARY KEY (company_id, id)
  );
  CREATE INDEX upload_expiry ON upload (expires_at);
  ALTER TABLE upload ADD CONSTRAINT upload_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE`;

const tables = ['skill_definition', 'mcp_server', 'stored_file', 'upload'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// The installation's own statements close skill calls, with their details, and remove tickets of all companies.
const RIGHTS = `
  GRANT UPDATE (details) ON skill_call TO palabre_system;
  CREATE POLICY installation ON upload TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT (company_id, id, expires_at), DELETE ON upload TO palabre_system`;

export class Skills1795651200000 {
  name = 'Skills1795651200000';

  async up(runner) {
    await runner.query(SKILLS);
    await runner.query(DEFINITIONS);
    await runner.query(MCP_SERVERS);
    await runner.query(FILES);
    await runner.query(UPLOADS);
    for (const table of tables) await runner.query(secure(table));
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`
      REVOKE UPDATE (details) ON skill_call FROM palabre_system;
      DELETE FROM skill WHERE kind <> 'FUNCTION';
      ALTER TABLE skill DROP CONSTRAINT skill_server_fkey;
      DROP TABLE ${tables.join(', ')};
      ALTER TABLE skill_call DROP COLUMN details;
      ALTER TABLE skill
        DROP COLUMN least_role, DROP COLUMN assistants, DROP COLUMN revision, DROP COLUMN own,
        DROP COLUMN server_id`);
  }
}
