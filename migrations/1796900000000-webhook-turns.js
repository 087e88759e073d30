/** Which webhooks are being sent to: one run of the job at a time. */
export class WebhookTurns1796900000000 {
  name = 'WebhookTurns1796900000000';

  async up(runner) {
    await runner.query('ALTER TABLE webhook ADD COLUMN sending_until timestamptz(3)');
  }

  async down(runner) {
    await runner.query('ALTER TABLE webhook DROP COLUMN sending_until');
  }
}
