/** What quotas are measured by, kept as it is counted: looking at a quota reads a row, however much was used before. */

const TOTALS = `
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
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

// The policies of usage_day show nothing to the tables' owner, unless it is not bound by them.
const BACKFILL = `
  ALTER TABLE usage_day NO FORCE ROW LEVEL SECURITY;
  INSERT INTO usage_total (company_id, subject, period, first_day, tokens, cost_usd)
    SELECT company_id, subject, period, first_day, sum(input_tokens + output_tokens), sum(cost_usd)
    FROM usage_day, LATERAL (VALUES ('COMPANY'), (member_id::text)) AS whose (subject),
      LATERAL (VALUES ('DAY', day), ('MONTH', date_trunc('month', day)::date)) AS span (period, first_day)
    GROUP BY 1, 2, 3, 4;
  ALTER TABLE usage_day FORCE ROW LEVEL SECURITY`;

const RIGHTS = `
  ALTER TABLE usage_total ENABLE ROW LEVEL SECURITY;
  ALTER TABLE usage_total FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON usage_total TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON usage_total TO palabre_app;
  CREATE POLICY installation ON usage_total TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT, INSERT, UPDATE (tokens, cost_usd) ON usage_total TO palabre_system`;

export class UsageTotals1796200200000 {
  name = 'UsageTotals1796200200000';

  async up(runner) {
    await runner.query(TOTALS);
    await runner.query(BACKFILL);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query('DROP TABLE usage_total');
  }
}
