/** Companies make assistants of their own, and retire what they do not need any more. */
export class OwnAssistants1796330100000 {
  name = 'OwnAssistants1796330100000';

  async up(runner) {
    await runner.query(`ALTER TABLE assistant
      ADD COLUMN archived boolean DEFAULT false NOT NULL,
      ADD COLUMN skills text[],
      ADD COLUMN copied_from text`);
  }

  async down(runner) {
    await runner.query(
      'ALTER TABLE assistant DROP COLUMN copied_from, DROP COLUMN skills, DROP COLUMN archived',
    );
  }
}
