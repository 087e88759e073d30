/** Questions whose turn was cancelled before it was answered: they are recalled again once they are answered. */
export class WithdrawnQuestions1796800000000 {
  name = 'WithdrawnQuestions1796800000000';

  async up(runner) {
    await runner.query('ALTER TABLE message ADD COLUMN withdrawn boolean NOT NULL DEFAULT false');
  }

  async down(runner) {
    // The policies of the table show nothing to its owner, unless it is not bound by them.
    await runner.query(`
      ALTER TABLE message NO FORCE ROW LEVEL SECURITY;
      UPDATE message SET withheld = true WHERE withdrawn;
      ALTER TABLE message FORCE ROW LEVEL SECURITY;
      ALTER TABLE message DROP COLUMN withdrawn`);
  }
}
