/** Results that packages of skills keep for a company, in versions. */

const RECORDS = `
  CREATE TABLE skill_record (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    version integer NOT NULL,
    title text NOT NULL,
    content jsonb NOT NULL,
    sources jsonb NOT NULL,
    member_id uuid,
    conversation_id uuid NOT NULL,
    call_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT skill_record_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE skill_record ADD CONSTRAINT skill_record_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE skill_record ADD CONSTRAINT skill_record_member_fkey
    FOREIGN KEY (company_id, member_id) REFERENCES member(company_id, id) ON DELETE SET NULL (member_id);
  CREATE UNIQUE INDEX skill_record_version ON skill_record (company_id, kind, subject, version);
  CREATE INDEX skill_record_kind ON skill_record (company_id, kind, id);
  CREATE INDEX skill_record_member ON skill_record (company_id, member_id, id)`;

const SECURITY = `
  ALTER TABLE skill_record ENABLE ROW LEVEL SECURITY;
  ALTER TABLE skill_record FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON skill_record TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON skill_record TO palabre_app`;

export class SkillRecords1796240000000 {
  name = 'SkillRecords1796240000000';

  async up(runner) {
    await runner.query(RECORDS);
    await runner.query(SECURITY);
  }

  async down(runner) {
    await runner.query('DROP TABLE skill_record');
  }
}
