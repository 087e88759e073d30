/** Addresses of companies' own that are told of notifications, and what they have not been told yet. */

const WEBHOOKS = `
  CREATE TABLE webhook (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    url text NOT NULL,
    secret text NOT NULL,
    kinds text[],
    disabled_at timestamptz(3),
    last_success_at timestamptz(3),
    last_failure_at timestamptz(3),
    last_failure text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT webhook_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE webhook ADD CONSTRAINT webhook_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

const DELIVERIES = `
  CREATE TABLE webhook_delivery (
    company_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    due_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT webhook_delivery_pkey PRIMARY KEY (company_id, notification_id, webhook_id)
  );
  ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_webhook_fkey
    FOREIGN KEY (company_id, webhook_id) REFERENCES webhook(company_id,id) ON DELETE CASCADE;
  ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_notification_fkey
    FOREIGN KEY (company_id, notification_id) REFERENCES notification(company_id,id) ON DELETE CASCADE;
  CREATE INDEX webhook_delivery_due ON webhook_delivery (company_id, webhook_id, due_at, notification_id)`;

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

export class Webhooks1795910460000 {
  name = 'Webhooks1795910460000';

  async up(runner) {
    await runner.query(WEBHOOKS);
    await runner.query(DELIVERIES);
    for (const table of ['webhook', 'webhook_delivery']) await runner.query(secure(table));
  }

  async down(runner) {
    await runner.query('DROP TABLE webhook_delivery, webhook');
  }
}
