/** Whether an assistant shows what its model thinks. */

export class ShowsReasoning1796300100000 {
  name = 'ShowsReasoning1796300100000';

  async up(runner) {
    await runner.query('ALTER TABLE assistant ADD COLUMN shows_reasoning boolean NOT NULL DEFAULT false');
  }

  async down(runner) {
    await runner.query('ALTER TABLE assistant DROP COLUMN shows_reasoning');
  }
}
