/** Files that belong to one conversation and its member: documents and images, with the messages they were sent with. */

const NOBODY = '00000000-0000-0000-0000-000000000000';

const DOCUMENTS = `
  ALTER TABLE document
    ADD COLUMN attachment_id uuid,
    ADD COLUMN kind text NOT NULL DEFAULT 'DOCUMENT',
    ADD COLUMN scope text NOT NULL DEFAULT 'COMPANY',
    ADD COLUMN conversation_id uuid;
  ALTER TABLE document ADD CONSTRAINT document_conversation_fkey
    FOREIGN KEY (company_id, conversation_id) REFERENCES conversation(company_id, id);
  CREATE UNIQUE INDEX document_attachment ON document (company_id, attachment_id) WHERE attachment_id IS NOT NULL;
  CREATE INDEX document_of_conversation ON document (company_id, conversation_id) WHERE conversation_id IS NOT NULL;
  CREATE INDEX document_unattached ON document (created_at) WHERE scope = 'CONVERSATION' AND conversation_id IS NULL;
  GRANT SELECT (scope, conversation_id) ON document TO palabre_system`;

// What was stored so far is the company's.
const CONTENTS = `
  ALTER TABLE document_content ADD COLUMN owner_id uuid NOT NULL DEFAULT '${NOBODY}';
  DROP INDEX document_content_sha256;
  CREATE UNIQUE INDEX document_content_sha256 ON document_content (company_id, owner_id, sha256);
  DROP INDEX document_content_completed;
  CREATE INDEX document_content_completed ON document_content (company_id, owner_id) WHERE status = 'COMPLETED'`;

const MESSAGES = `
  ALTER TABLE message ADD COLUMN attachment_ids uuid[];
  CREATE INDEX message_attached ON message (company_id, branch_id, id) WHERE attachment_ids IS NOT NULL`;

// Private contents cannot be the company's: they go, with the documents that they are of.
const BACK = `
  ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE document_content NO FORCE ROW LEVEL SECURITY;
  DELETE FROM document WHERE scope = 'CONVERSATION';
  DELETE FROM document_content WHERE owner_id <> '${NOBODY}';
  ALTER TABLE document FORCE ROW LEVEL SECURITY;
  ALTER TABLE document_content FORCE ROW LEVEL SECURITY;
  ALTER TABLE message DROP COLUMN attachment_ids;
  DROP INDEX document_content_sha256;
  DROP INDEX document_content_completed;
  ALTER TABLE document_content DROP COLUMN owner_id;
  CREATE UNIQUE INDEX document_content_sha256 ON document_content (company_id, sha256);
  CREATE INDEX document_content_completed ON document_content (company_id) WHERE status = 'COMPLETED';
  DROP INDEX document_unattached;
  ALTER TABLE document DROP COLUMN attachment_id, DROP COLUMN kind, DROP COLUMN scope, DROP COLUMN conversation_id`;

export class Attachments1796310000000 {
  name = 'Attachments1796310000000';

  async up(runner) {
    await runner.query(DOCUMENTS);
    await runner.query(CONTENTS);
    await runner.query(MESSAGES);
  }

  async down(runner) {
    await runner.query(BACK);
  }
}
