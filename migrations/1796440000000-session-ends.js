/** By which the sessions of a member in browsers can be ended before their time. */
export class SessionEnds1796440000000 {
  name = 'SessionEnds1796440000000';

  async up(runner) {
    await runner.query('ALTER TABLE member ADD COLUMN sessions_ended_at timestamp(3) with time zone');
  }

  async down(runner) {
    await runner.query('ALTER TABLE member DROP COLUMN sessions_ended_at');
  }
}
