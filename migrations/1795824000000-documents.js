/** The company's documents, what is in them, and the passages that are searched and cited. */

const CONTENTS = `
  CREATE TABLE document_content (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    sha256 text NOT NULL,
    bytes integer NOT NULL,
    storage_key text NOT NULL,
    name text NOT NULL,
    media_type text,
    status text NOT NULL DEFAULT 'PENDING',
    attempt integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    progress double precision NOT NULL DEFAULT 0,
    error text,
    warnings jsonb NOT NULL DEFAULT '[]',
    pages integer,
    passage_count integer NOT NULL DEFAULT 0,
    language text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT document_content_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE document_content ADD CONSTRAINT document_content_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX document_content_sha256 ON document_content (company_id, sha256);
  CREATE INDEX document_content_completed ON document_content (company_id) WHERE status = 'COMPLETED'`;

// Several documents may have the same content: it goes with the last of them.
const DOCUMENTS = `
  CREATE TABLE document (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    name text NOT NULL,
    media_type text NOT NULL,
    bytes integer NOT NULL,
    content_id uuid,
    upload_error text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT document_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE document ADD CONSTRAINT document_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE document ADD CONSTRAINT document_content_fkey
    FOREIGN KEY (company_id, content_id) REFERENCES document_content(company_id,id);
  CREATE INDEX document_of_content ON document (company_id, content_id);
  CREATE INDEX document_member ON document (company_id, member_id, id);
  CREATE INDEX document_awaited ON document (created_at) WHERE content_id IS NULL AND upload_error IS NULL`;

const PASSAGES = `
  CREATE TABLE passage (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    content_id uuid NOT NULL,
    ordinal integer NOT NULL,
    page integer,
    headings text[] NOT NULL DEFAULT '{}',
    start_offset integer NOT NULL,
    end_offset integer NOT NULL,
    tokens integer NOT NULL,
    language text,
    text text NOT NULL,
    CONSTRAINT passage_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE passage ADD CONSTRAINT passage_content_fkey
    FOREIGN KEY (company_id, content_id) REFERENCES document_content(company_id,id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX passage_order ON passage (company_id, content_id, ordinal)`;

const tables = ['document_content', 'document', 'passage'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// The installation's own statements give up, in all companies, documents whose bytes never came.
const RIGHTS = `
  CREATE POLICY installation ON document TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT (company_id, id, content_id, upload_error, created_at), UPDATE (upload_error) ON document TO palabre_system`;

export class Documents1795824000000 {
  name = 'Documents1795824000000';

  async up(runner) {
    await runner.query(CONTENTS);
    await runner.query(DOCUMENTS);
    await runner.query(PASSAGES);
    for (const table of tables) await runner.query(secure(table));
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`DROP TABLE ${tables.toReversed().join(', ')}`);
  }
}
