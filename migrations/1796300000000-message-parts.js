/** What a message consists of besides its text. */

export class MessageParts1796300000000 {
  name = 'MessageParts1796300000000';

  async up(runner) {
    await runner.query('ALTER TABLE message ADD COLUMN parts jsonb');
  }

  async down(runner) {
    await runner.query('ALTER TABLE message DROP COLUMN parts');
  }
}
