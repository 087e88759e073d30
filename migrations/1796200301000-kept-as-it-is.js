/**
 * The audit is only ever added to: a company's statements may neither change it nor take anything from it. And of a
 * webhook's address, which is often a secret by itself, the origin alone is kept in the clear.
 */

// Row-level security holds the owner of the tables too, and this is for all companies at once.
const freely = (table, statement) => `
  ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;
  ${statement};
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`;

const ORIGIN = `'^https?://[^/?#]+'`;

// Whoever is erased is taken out of it by the installation.
const AUDIT = `
  REVOKE UPDATE, DELETE, TRUNCATE ON audit_entry FROM palabre_app;
  CREATE POLICY installation ON audit_entry TO palabre_system
    USING (current_user = 'palabre_system') WITH CHECK (current_user = 'palabre_system');
  GRANT SELECT (company_id, member_id, subject, details), UPDATE (member_id, subject, details)
    ON audit_entry TO palabre_system`;

export class KeptAsItIs1796200301000 {
  name = 'KeptAsItIs1796200301000';

  async up(runner) {
    await runner.query(AUDIT);
    await runner.query(
      freely(
        'audit_entry',
        `UPDATE audit_entry SET details = details || jsonb_build_object('url', substring(details ->> 'url' FROM ${ORIGIN}))
         WHERE action IN ('webhook.created', 'webhook.deleted') AND details ? 'url'`,
      ),
    );
    await runner.query(`ALTER TABLE webhook ADD COLUMN origin text NOT NULL DEFAULT ''`);
    // The addresses themselves are encrypted by the first process that can: no migration has the key.
    await runner.query(freely('webhook', `UPDATE webhook SET origin = substring(url FROM ${ORIGIN})`));
  }

  async down(runner) {
    await runner.query(`
      ALTER TABLE webhook DROP COLUMN origin;
      DROP POLICY installation ON audit_entry;
      REVOKE ALL ON audit_entry FROM palabre_system;
      GRANT UPDATE, DELETE ON audit_entry TO palabre_app`);
  }
}
