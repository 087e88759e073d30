/** What the answer of a turn has to fit. */

export class AnswerSchema1796300200000 {
  name = 'AnswerSchema1796300200000';

  async up(runner) {
    await runner.query('ALTER TABLE turn ADD COLUMN answer_schema json');
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN answer_schema');
  }
}
