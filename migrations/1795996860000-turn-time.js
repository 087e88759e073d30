/** For how long nobody has run a turn: that is not to count against the seconds that it may take. */

const TURNS = `
  ALTER TABLE turn
    ADD COLUMN seen_at timestamptz(3),
    ADD COLUMN idle_seconds double precision NOT NULL DEFAULT 0`;

const RIGHTS = `
  GRANT SELECT (idle_seconds), UPDATE (seen_at, idle_seconds) ON turn TO palabre_system`;

export class TurnTime1795996860000 {
  name = 'TurnTime1795996860000';

  async up(runner) {
    await runner.query(TURNS);
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN seen_at, DROP COLUMN idle_seconds');
  }
}
