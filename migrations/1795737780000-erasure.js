/** What was forgotten and is still to be erased from what turns keep. */

// A row holds what it has erased, so it goes when that is done. Null owner: a memory of the whole company's.
const ERASURES = `
  CREATE TABLE erasure (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    owner_id uuid,
    texts text[] NOT NULL,
    short_texts text[] NOT NULL,
    since timestamptz(3) NOT NULL,
    cursor uuid,
    late uuid[],
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT erasure_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE erasure ADD CONSTRAINT erasure_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE erasure ADD CONSTRAINT erasure_owner_fkey
    FOREIGN KEY (company_id, owner_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  CREATE INDEX erasure_owner ON erasure (company_id, owner_id)`;

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

export class Erasure1795737780000 {
  name = 'Erasure1795737780000';

  async up(runner) {
    await runner.query(ERASURES);
    await runner.query(secure('erasure'));
  }

  async down(runner) {
    await runner.query('DROP TABLE erasure');
  }
}
