/** Quotas for the models of one provider, and what they are measured by. */

const QUOTA = `
  ALTER TABLE quota ADD COLUMN provider text NOT NULL DEFAULT '';
  ALTER TABLE quota DROP CONSTRAINT quota_pkey;
  ALTER TABLE quota ADD CONSTRAINT quota_pkey PRIMARY KEY (company_id, subject, period, provider)`;

// Beside usage_total, which processes of the version before go on writing during a rolling upgrade.
const TOTALS = `
  CREATE TABLE provider_total (
    company_id uuid NOT NULL,
    subject text NOT NULL,
    period text NOT NULL,
    first_day date NOT NULL,
    provider text NOT NULL,
    tokens bigint NOT NULL DEFAULT 0,
    cost_usd double precision NOT NULL DEFAULT 0,
    CONSTRAINT provider_total_pkey PRIMARY KEY (company_id, subject, period, first_day, provider)
  );
  ALTER TABLE provider_total ADD CONSTRAINT provider_total_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

// The policies of both tables show nothing to their owner, unless it is not bound by them.
const BACKFILL = `
  ALTER TABLE usage_day NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE provider NO FORCE ROW LEVEL SECURITY;
  INSERT INTO provider_total (company_id, subject, period, first_day, provider, tokens, cost_usd)
    SELECT used.company_id, subject, period, first_day, coalesce(provider.key, 'INSTALLATION'),
      sum(input_tokens + output_tokens), sum(cost_usd)
    FROM usage_day AS used
      LEFT JOIN provider ON provider.company_id = used.company_id AND starts_with(used.model, provider.key || '/'),
      LATERAL (VALUES ('COMPANY'), (member_id::text)) AS whose (subject),
      LATERAL (VALUES ('DAY', day), ('MONTH', date_trunc('month', day)::date)) AS span (period, first_day)
    GROUP BY 1, 2, 3, 4, 5;
  ALTER TABLE provider FORCE ROW LEVEL SECURITY;
  ALTER TABLE usage_day FORCE ROW LEVEL SECURITY`;

const RIGHTS = `
  ALTER TABLE provider_total ENABLE ROW LEVEL SECURITY;
  ALTER TABLE provider_total FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON provider_total TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON provider_total TO palabre_app;
  CREATE POLICY installation ON provider_total TO palabre_system
    USING (current_user = 'palabre_system') WITH CHECK (current_user = 'palabre_system');
  GRANT SELECT, INSERT, UPDATE (tokens, cost_usd) ON provider_total TO palabre_system`;

export class QuotasOfProviders1796700000000 {
  name = 'QuotasOfProviders1796700000000';

  async up(runner) {
    await runner.query(QUOTA);
    await runner.query(TOTALS);
    await runner.query(BACKFILL);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query('DROP TABLE provider_total');
    await runner.query(`
      DELETE FROM quota WHERE provider <> '';
      ALTER TABLE quota DROP COLUMN provider;
      ALTER TABLE quota ADD CONSTRAINT quota_pkey PRIMARY KEY (company_id, subject, period)`);
  }
}
