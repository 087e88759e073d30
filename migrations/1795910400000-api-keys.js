/** What programs sign in with. */

const KEYS = `
  CREATE TABLE api_key (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    member_id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    digest text NOT NULL,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT api_key_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE api_key ADD CONSTRAINT api_key_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE api_key ADD CONSTRAINT api_key_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX api_key_digest ON api_key (company_id, digest);
  CREATE UNIQUE INDEX api_key_member ON api_key (company_id, member_id)`;

const SECURITY = `
  ALTER TABLE api_key ENABLE ROW LEVEL SECURITY;
  ALTER TABLE api_key FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON api_key TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON api_key TO palabre_app`;

export class ApiKeys1795910400000 {
  name = 'ApiKeys1795910400000';

  async up(runner) {
    await runner.query(KEYS);
    await runner.query(SECURITY);
  }

  async down(runner) {
    await runner.query('DROP TABLE api_key');
  }
}
