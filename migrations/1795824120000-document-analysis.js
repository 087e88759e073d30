/** What models make of documents as a whole, step by step, and who waits for it. */

const ANALYSES = `
  CREATE TABLE document_analysis (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    content_id uuid NOT NULL,
    focus text NOT NULL,
    language text NOT NULL,
    status text NOT NULL DEFAULT 'PENDING',
    attempt integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    errors integer NOT NULL DEFAULT 0,
    progress double precision NOT NULL DEFAULT 0,
    result jsonb,
    failure text,
    heard_at timestamptz(3) NOT NULL DEFAULT now(),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT document_analysis_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE document_analysis ADD CONSTRAINT document_analysis_content_fkey
    FOREIGN KEY (company_id, content_id) REFERENCES document_content(company_id,id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX document_analysis_kind ON document_analysis (company_id, content_id, focus, language)`;

const PIECES = `
  CREATE TABLE analysis_piece (
    company_id uuid NOT NULL,
    analysis_id uuid NOT NULL,
    level integer NOT NULL,
    ordinal integer NOT NULL,
    first_part integer NOT NULL,
    last_part integer NOT NULL,
    failures integer NOT NULL DEFAULT 0,
    findings jsonb,
    CONSTRAINT analysis_piece_pkey PRIMARY KEY (company_id, analysis_id, level, ordinal)
  );
  ALTER TABLE analysis_piece ADD CONSTRAINT analysis_piece_analysis_fkey
    FOREIGN KEY (company_id, analysis_id) REFERENCES document_analysis(company_id,id) ON DELETE CASCADE`;

const REQUESTS = `
  CREATE TABLE analysis_request (
    company_id uuid NOT NULL,
    analysis_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    member_id uuid NOT NULL,
    assistant text NOT NULL,
    document_name text NOT NULL,
    is_to_tell boolean NOT NULL DEFAULT false,
    is_refused boolean NOT NULL DEFAULT false,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT analysis_request_pkey PRIMARY KEY (company_id, analysis_id, turn_id)
  );
  ALTER TABLE analysis_request ADD CONSTRAINT analysis_request_analysis_fkey
    FOREIGN KEY (company_id, analysis_id) REFERENCES document_analysis(company_id,id) ON DELETE CASCADE;
  ALTER TABLE analysis_request ADD CONSTRAINT analysis_request_turn_fkey
    FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id,id) ON DELETE CASCADE;
  ALTER TABLE analysis_request ADD CONSTRAINT analysis_request_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  CREATE INDEX analysis_request_turn ON analysis_request (company_id, turn_id);
  CREATE INDEX analysis_request_member ON analysis_request (company_id, member_id)`;

const tables = ['document_analysis', 'analysis_piece', 'analysis_request'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

export class DocumentAnalysis1795824120000 {
  name = 'DocumentAnalysis1795824120000';

  async up(runner) {
    await runner.query(ANALYSES);
    await runner.query(PIECES);
    await runner.query(REQUESTS);
    for (const table of tables) await runner.query(secure(table));
  }

  async down(runner) {
    await runner.query(`DROP TABLE ${tables.toReversed().join(', ')}`);
  }
}
