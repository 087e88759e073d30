/** When an owner of memories last forgot one: what was said before that is not learned from any more. */

export class ForgottenAt1796210000000 {
  name = 'ForgottenAt1796210000000';

  async up(runner) {
    await runner.query('ALTER TABLE memory_owner ADD COLUMN forgotten_at timestamptz');
  }

  async down(runner) {
    await runner.query('ALTER TABLE memory_owner DROP COLUMN forgotten_at');
  }
}
