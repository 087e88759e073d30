/** Which documents a turn is about, and how assistants that ground their answers come to search. */

const TURNS = `ALTER TABLE turn ADD COLUMN document_ids uuid[] NOT NULL DEFAULT '{}'`;

const ASSISTANTS = `ALTER TABLE assistant ADD COLUMN retrieval text NOT NULL DEFAULT 'FORCED'`;

export class TurnDocuments1795824060000 {
  name = 'TurnDocuments1795824060000';

  async up(runner) {
    await runner.query(TURNS);
    await runner.query(ASSISTANTS);
  }

  async down(runner) {
    await runner.query(`
      ALTER TABLE turn DROP COLUMN document_ids;
      ALTER TABLE assistant DROP COLUMN retrieval`);
  }
}
