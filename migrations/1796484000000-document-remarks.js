/** What people are told about documents, for any language. Rows without it have English sentences alone. */
export class DocumentRemarks1796484000000 {
  name = 'DocumentRemarks1796484000000';

  async up(runner) {
    await runner.query('ALTER TABLE document_content ADD COLUMN remarks jsonb');
  }

  async down(runner) {
    await runner.query('ALTER TABLE document_content DROP COLUMN remarks');
  }
}
