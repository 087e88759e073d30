/** The installation's own record of the companies that were erased, and of those that are being erased. */

const TABLE = `
  CREATE TABLE company_erasure (
    id uuid NOT NULL,
    slug text NOT NULL,
    requested_by text NOT NULL,
    requested_at timestamptz(3) NOT NULL DEFAULT now(),
    finished_at timestamptz(3),
    CONSTRAINT company_erasure_pkey PRIMARY KEY (id)
  );
  CREATE UNIQUE INDEX company_erasure_slug ON company_erasure (slug)`;

// No company is shown it. The slug is what tokens name a company by.
const RIGHTS = `
  ALTER TABLE company_erasure ENABLE ROW LEVEL SECURITY;
  ALTER TABLE company_erasure FORCE ROW LEVEL SECURITY;
  CREATE POLICY installation ON company_erasure TO palabre_system
    USING (current_user = 'palabre_system') WITH CHECK (current_user = 'palabre_system');
  GRANT SELECT, INSERT, UPDATE (finished_at) ON company_erasure TO palabre_system;
  GRANT UPDATE (slug) ON company TO palabre_system`;

export class CompanyErasure1796200302000 {
  name = 'CompanyErasure1796200302000';

  async up(runner) {
    await runner.query(TABLE);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query('REVOKE UPDATE (slug) ON company FROM palabre_system; DROP TABLE company_erasure');
  }
}
