/**
 * What API keys may be used for, and who made them. The keys that there are go on as before: with every scope, within
 * their role. Who made them is in the audit.
 */

const READ = ['api_key', 'audit_entry', 'member'];

export class ApiKeyScopes1796200400000 {
  name = 'ApiKeyScopes1796200400000';

  async up(runner) {
    await runner.query(`
      ALTER TABLE api_key
        ADD COLUMN scopes text[] NOT NULL DEFAULT '{READ,TURNS,DOCUMENTS,SKILLS,ADMIN}',
        ADD COLUMN created_by uuid`);
    await runner.query('ALTER TABLE api_key ALTER COLUMN scopes DROP DEFAULT');
    // Row-level security holds the owner of the tables too, and this is for all companies at once.
    for (const table of READ) await runner.query(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
    await runner.query(`
      UPDATE api_key SET created_by = entry.member_id
      FROM audit_entry entry JOIN member ON member.company_id = entry.company_id AND member.id = entry.member_id
      WHERE entry.company_id = api_key.company_id AND entry.action = 'api-key.created'
        AND entry.subject = api_key.id::text`);
    for (const table of READ) await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
    await runner.query('CREATE INDEX api_key_created_by ON api_key (company_id, created_by)');
    // Of the two columns, one alone is to be emptied.
    await runner.query(`
      ALTER TABLE api_key ADD CONSTRAINT api_key_created_by_fkey
        FOREIGN KEY (company_id, created_by) REFERENCES member (company_id, id) ON DELETE SET NULL (created_by)`);
  }

  async down(runner) {
    await runner.query('ALTER TABLE api_key DROP COLUMN created_by, DROP COLUMN scopes');
  }
}
