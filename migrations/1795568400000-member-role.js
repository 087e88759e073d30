/** The role that a member was last seen with: whom to tell of what needs an admin, while nobody of them is there. */

export class MemberRole1795568400000 {
  name = 'MemberRole1795568400000';

  async up(runner) {
    await runner.query(`ALTER TABLE member ADD COLUMN role text NOT NULL DEFAULT 'MEMBER'`);
    await runner.query(`CREATE INDEX member_admin ON member (company_id, id) WHERE role <> 'MEMBER'`);
  }

  async down(runner) {
    await runner.query(`ALTER TABLE member DROP COLUMN role`);
  }
}
