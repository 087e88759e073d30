/** Members keep, put away and name their conversations. */
export class ConversationFlags1796330000000 {
  name = 'ConversationFlags1796330000000';

  async up(runner) {
    await runner.query(`ALTER TABLE conversation
      ADD COLUMN archived boolean DEFAULT false NOT NULL,
      ADD COLUMN pinned boolean DEFAULT false NOT NULL,
      ADD COLUMN titled_by_member boolean DEFAULT false NOT NULL`);
  }

  async down(runner) {
    await runner.query(`ALTER TABLE conversation
      DROP COLUMN titled_by_member, DROP COLUMN pinned, DROP COLUMN archived`);
  }
}
