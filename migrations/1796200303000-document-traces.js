/** What turns were shown of a document that was deleted is erased from what they keep, as what was forgotten is. */
export class DocumentTraces1796200303000 {
  name = 'DocumentTraces1796200303000';

  async up(runner) {
    await runner.query('ALTER TABLE erasure ADD COLUMN document_id uuid');
  }

  async down(runner) {
    await runner.query('ALTER TABLE erasure DROP COLUMN document_id');
  }
}
