/** Clients' names for conversations are in the ids of these: a second way to find them is not needed. */
export class ConversationsWithoutClientKeys1796400000000 {
  name = 'ConversationsWithoutClientKeys1796400000000';

  async up(runner) {
    await runner.query('DROP INDEX conversation_client_key');
    await runner.query('ALTER TABLE conversation DROP COLUMN client_key');
  }

  async down(runner) {
    await runner.query('ALTER TABLE conversation ADD COLUMN client_key text');
    await runner.query(`CREATE INDEX conversation_client_key ON conversation (company_id, member_id, client_key)
      WHERE client_key IS NOT NULL`);
  }
}
