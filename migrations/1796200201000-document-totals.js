/** How many documents a company and its members have, and how large: what the limits of both are held against. */

const TOTALS = `
  CREATE TABLE document_total (
    company_id uuid NOT NULL,
    subject text NOT NULL,
    documents integer NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    CONSTRAINT document_total_pkey PRIMARY KEY (company_id, subject)
  );
  ALTER TABLE document_total ADD CONSTRAINT document_total_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE`;

// From now on a document has the size of what has come, not of what was announced. The policies show nothing to the
// tables' owner, unless it is not bound by them.
const BACKFILL = `
  ALTER TABLE document NO FORCE ROW LEVEL SECURITY;
  ALTER TABLE document_content NO FORCE ROW LEVEL SECURITY;
  UPDATE document SET bytes = content.bytes FROM document_content AS content
    WHERE content.company_id = document.company_id AND content.id = document.content_id
      AND content.bytes <> document.bytes;
  INSERT INTO document_total (company_id, subject, documents, bytes)
    SELECT company_id, subject, count(*), coalesce(sum(bytes) FILTER (WHERE upload_error IS NULL), 0)
    FROM document, LATERAL (VALUES ('COMPANY'), (member_id::text)) AS whose (subject) GROUP BY 1, 2;
  ALTER TABLE document_content FORCE ROW LEVEL SECURITY;
  ALTER TABLE document FORCE ROW LEVEL SECURITY`;

// The installation's own statements give up, in all companies, documents whose bytes never came, and give back their room.
const RIGHTS = `
  ALTER TABLE document_total ENABLE ROW LEVEL SECURITY;
  ALTER TABLE document_total FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON document_total TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON document_total TO palabre_app;
  CREATE POLICY installation ON document_total TO palabre_system USING (true) WITH CHECK (true);
  GRANT SELECT, INSERT, UPDATE (documents, bytes) ON document_total TO palabre_system;
  GRANT SELECT (member_id, bytes) ON document TO palabre_system`;

export class DocumentTotals1796200201000 {
  name = 'DocumentTotals1796200201000';

  async up(runner) {
    await runner.query(TOTALS);
    await runner.query(BACKFILL);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query(`
      DROP TABLE document_total;
      REVOKE SELECT (member_id, bytes) ON document FROM palabre_system`);
  }
}
