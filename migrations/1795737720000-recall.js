/** What earlier conversations are recalled by, and what was said in other systems. */

// The project that a conversation is about, by its lineage; up to which message it is searched.
const CONVERSATIONS = `
  ALTER TABLE conversation
    ADD COLUMN active_project_id uuid,
    ADD COLUMN indexed_until uuid`;

// As whoever said it was called where it was said; and what is not to be recalled any more, as it was forgotten.
const MESSAGES = `
  ALTER TABLE message
    ADD COLUMN author text,
    ADD COLUMN withheld boolean NOT NULL DEFAULT false`;

export class Recall1795737720000 {
  name = 'Recall1795737720000';

  async up(runner) {
    await runner.query(CONVERSATIONS);
    await runner.query(MESSAGES);
  }

  async down(runner) {
    await runner.query(`
      ALTER TABLE conversation DROP COLUMN active_project_id, DROP COLUMN indexed_until;
      ALTER TABLE message DROP COLUMN author, DROP COLUMN withheld`);
  }
}
