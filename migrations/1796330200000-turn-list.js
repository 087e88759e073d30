/** Admins list their company's turns, and find the few among them that failed, were slow or cost much. */
export class TurnList1796330200000 {
  name = 'TurnList1796330200000';

  async up(runner) {
    // The policies show nothing to the tables' owner, unless it is not bound by them.
    await runner.query(`
      ALTER TABLE turn ADD COLUMN seconds double precision;
      ALTER TABLE turn NO FORCE ROW LEVEL SECURITY;
      UPDATE turn SET seconds = extract(epoch FROM finished_at - created_at) WHERE finished_at IS NOT NULL;
      ALTER TABLE turn FORCE ROW LEVEL SECURITY`);
    await runner.query(`
      CREATE INDEX turn_member ON turn (company_id, member_id, id);
      CREATE INDEX turn_ended_early ON turn (company_id, id, finish_reason) WHERE finish_reason <> 'ANSWERED';
      CREATE INDEX turn_cost ON turn (company_id, cost_usd);
      CREATE INDEX turn_seconds ON turn (company_id, seconds);
      CREATE INDEX conversation_assistant ON conversation (company_id, assistant_id)`);
  }

  async down(runner) {
    await runner.query(`
      DROP INDEX conversation_assistant;
      DROP INDEX turn_seconds;
      DROP INDEX turn_cost;
      DROP INDEX turn_ended_early;
      DROP INDEX turn_member;
      ALTER TABLE turn DROP COLUMN seconds`);
  }
}
