/** Whom an admin lets in no more, and which API keys rest for that reason. */

export class DeactivatedMembers1796200401000 {
  name = 'DeactivatedMembers1796200401000';

  async up(runner) {
    await runner.query('ALTER TABLE member ADD COLUMN deactivated_at timestamptz(3)');
    await runner.query('ALTER TABLE api_key ADD COLUMN paused_at timestamptz(3)');
  }

  async down(runner) {
    await runner.query('ALTER TABLE api_key DROP COLUMN paused_at');
    await runner.query('ALTER TABLE member DROP COLUMN deactivated_at');
  }
}
