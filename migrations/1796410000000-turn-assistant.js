/** An answer may be asked for anew from another assistant than the conversation's. */
export class TurnAssistant1796410000000 {
  name = 'TurnAssistant1796410000000';

  async up(runner) {
    await runner.query('ALTER TABLE turn ADD COLUMN assistant_id uuid');
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN assistant_id');
  }
}
