/**
 * The few among many that a list is asked for: turns of one assistant, and audit entries of one kind or one member. Most
 * turns are of their conversation's assistant, which is found by its own index: they have no entry in this one.
 */
export class ListIndexes1796480000000 {
  name = 'ListIndexes1796480000000';

  async up(runner) {
    await runner.query(`
      CREATE INDEX turn_assistant ON turn (company_id, assistant_id, id) WHERE assistant_id IS NOT NULL;
      CREATE INDEX audit_entry_noun ON audit_entry (company_id, split_part(action, '.', 1), id);
      CREATE INDEX audit_entry_member ON audit_entry (company_id, member_id, id)`);
  }

  async down(runner) {
    await runner.query(`
      DROP INDEX audit_entry_member;
      DROP INDEX audit_entry_noun;
      DROP INDEX turn_assistant`);
  }
}
