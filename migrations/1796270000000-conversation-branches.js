/** A conversation is a tree: each message stands in a branch, and a branch leaves another one after one of its messages. */

const TABLES = `
  CREATE TABLE conversation_branch (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    parent_id uuid,
    fork_id uuid,
    shown_until uuid,
    CONSTRAINT conversation_branch_pkey PRIMARY KEY (company_id, id)
  );
  CREATE INDEX conversation_branch_conversation ON conversation_branch (company_id, conversation_id);
  ALTER TABLE conversation_branch ADD CONSTRAINT conversation_branch_conversation_fkey
    FOREIGN KEY (company_id, conversation_id) REFERENCES conversation (company_id, id) ON DELETE CASCADE;
  CREATE TABLE conversation_summary (
    company_id uuid NOT NULL,
    branch_id uuid NOT NULL,
    until_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    text text NOT NULL,
    CONSTRAINT conversation_summary_pkey PRIMARY KEY (company_id, branch_id, until_id)
  );
  CREATE INDEX conversation_summary_conversation ON conversation_summary (company_id, conversation_id);
  ALTER TABLE conversation_summary ADD CONSTRAINT conversation_summary_conversation_fkey
    FOREIGN KEY (company_id, conversation_id) REFERENCES conversation (company_id, id) ON DELETE CASCADE;
  ALTER TABLE conversation ADD COLUMN shown_branch_id uuid;
  ALTER TABLE message ADD COLUMN branch_id uuid`;

// What was said so far is the first branch of its conversation. The policies show nothing to the tables' owner, unless it
// is not bound by them.
const BACKFILL = `
  ALTER TABLE conversation NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE message NO FORCE ROW LEVEL SECURITY;
  UPDATE conversation SET shown_branch_id = id;
  UPDATE message SET branch_id = conversation_id;
  INSERT INTO conversation_summary (company_id, branch_id, until_id, conversation_id, text)
    SELECT company_id, id, summarised_until, id, summary FROM conversation
    WHERE summary IS NOT NULL AND summarised_until IS NOT NULL;
  ALTER TABLE message FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation FORCE ROW LEVEL SECURITY;
  ALTER TABLE conversation ALTER COLUMN shown_branch_id SET NOT NULL, DROP COLUMN summary, DROP COLUMN summarised_until;
  ALTER TABLE message ALTER COLUMN branch_id SET NOT NULL;
  CREATE INDEX message_branch ON message (company_id, branch_id, id)`;

const RIGHTS = ['conversation_branch', 'conversation_summary']
  .map(
    (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`,
  )
  .join(';');

export class ConversationBranches1796270000000 {
  name = 'ConversationBranches1796270000000';

  async up(runner) {
    await runner.query(TABLES);
    await runner.query(BACKFILL);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`
      ALTER TABLE conversation ADD COLUMN summary text, ADD COLUMN summarised_until uuid;
      ALTER TABLE conversation NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE conversation_summary NO FORCE ROW LEVEL SECURITY;
      UPDATE conversation SET summary = kept.text, summarised_until = kept.until_id
        FROM (SELECT DISTINCT ON (company_id, branch_id) * FROM conversation_summary
          ORDER BY company_id, branch_id, until_id DESC) AS kept
        WHERE kept.company_id = conversation.company_id AND kept.branch_id = conversation.id;
      ALTER TABLE conversation FORCE ROW LEVEL SECURITY;
      DROP TABLE conversation_summary;
      DROP TABLE conversation_branch;
      DROP INDEX message_branch;
      ALTER TABLE message DROP COLUMN branch_id;
      ALTER TABLE conversation DROP COLUMN shown_branch_id`);
  }
}
