/** Providers of models that companies bring, and how much an assistant's model is to think. */

const PROVIDER = `
  CREATE TABLE provider (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    key text NOT NULL,
    base_url text NOT NULL,
    api_key text,
    api text NOT NULL,
    models text[] NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT provider_pkey PRIMARY KEY (company_id, id)
  );
  CREATE UNIQUE INDEX provider_key ON provider (company_id, key);
  ALTER TABLE provider ADD CONSTRAINT provider_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

const SECURE = `
  ALTER TABLE provider ENABLE ROW LEVEL SECURITY;
  ALTER TABLE provider FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON provider TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON provider TO palabre_app`;

export class ModelProviders1796250000000 {
  name = 'ModelProviders1796250000000';

  async up(runner) {
    await runner.query(PROVIDER);
    await runner.query(SECURE);
    await runner.query('ALTER TABLE assistant ADD COLUMN reasoning_effort text');
  }

  async down(runner) {
    await runner.query('ALTER TABLE assistant DROP COLUMN reasoning_effort');
    await runner.query('DROP TABLE provider');
  }
}
