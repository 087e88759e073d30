/** Turns that were asked for in other protocols, and conversations as clients of these know them. */
export class ClientRequests1796350000000 {
  name = 'ClientRequests1796350000000';

  async up(runner) {
    await runner.query('ALTER TABLE turn ADD COLUMN client json');
    await runner.query('ALTER TABLE conversation ADD COLUMN client_key text');
    await runner.query(`CREATE INDEX conversation_client_key ON conversation (company_id, member_id, client_key)
      WHERE client_key IS NOT NULL`);
    // A client that sends a whole history is found by the answer that it ends with.
    await runner.query('ALTER TABLE message ADD COLUMN text_digest text');
    await runner.query(`CREATE INDEX message_digest ON message (company_id, text_digest)
      WHERE text_digest IS NOT NULL`);
  }

  async down(runner) {
    await runner.query('ALTER TABLE message DROP COLUMN text_digest');
    await runner.query('ALTER TABLE conversation DROP COLUMN client_key');
    await runner.query('ALTER TABLE turn DROP COLUMN client');
  }
}
