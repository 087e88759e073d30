/** Totals are kept by provider alone: their sums are what quotas for all providers are checked against. */

// The policies of both tables show nothing to their owner, unless it is not bound by them.
const ADD_UP = `
  ALTER TABLE provider_total NO FORCE ROW LEVEL SECURITY;
  INSERT INTO usage_total (company_id, subject, period, first_day, tokens, cost_usd)
    SELECT company_id, subject, period, first_day, sum(tokens), sum(cost_usd) FROM provider_total GROUP BY 1, 2, 3, 4;
  ALTER TABLE provider_total FORCE ROW LEVEL SECURITY`;

export class TotalsByProvider1797000000000 {
  name = 'TotalsByProvider1797000000000';

  async up(runner) {
    await runner.query('DROP TABLE usage_total');
  }

  async down(runner) {
    await runner.query(`
      CREATE TABLE usage_total (
        company_id uuid NOT NULL,
        subject text NOT NULL,
        period text NOT NULL,
        first_day date NOT NULL,
        tokens bigint NOT NULL DEFAULT 0,
        cost_usd double precision NOT NULL DEFAULT 0,
        CONSTRAINT usage_total_pkey PRIMARY KEY (company_id, subject, period, first_day)
      );
      ALTER TABLE usage_total ADD CONSTRAINT usage_total_company_fkey
        FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`);
    await runner.query(ADD_UP);
    await runner.query(`
      ALTER TABLE usage_total ENABLE ROW LEVEL SECURITY;
      ALTER TABLE usage_total FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON usage_total TO palabre_app
        USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
      GRANT SELECT, INSERT, UPDATE, DELETE ON usage_total TO palabre_app;
      CREATE POLICY installation ON usage_total TO palabre_system
        USING (current_user = 'palabre_system') WITH CHECK (current_user = 'palabre_system');
      GRANT SELECT, INSERT, UPDATE (tokens, cost_usd) ON usage_total TO palabre_system`);
  }
}
