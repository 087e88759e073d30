/**
 * What runs unasked in a turn that has read texts of strangers. Of a skill's approval it is kept whether an admin has
 * decided: that none is needed was nobody's decision so far.
 */

export class ForeignText1796169780000 {
  name = 'ForeignText1796169780000';

  async up(runner) {
    await runner.query(`ALTER TABLE company ADD COLUMN foreign_text_policy text NOT NULL DEFAULT 'ASK'`);
    await runner.query(`
      ALTER TABLE skill
        ALTER COLUMN requires_approval DROP DEFAULT,
        ALTER COLUMN requires_approval DROP NOT NULL,
        ALTER COLUMN requires_approval TYPE boolean USING NULLIF(requires_approval, false)`);
  }

  async down(runner) {
    await runner.query(`
      ALTER TABLE skill
        ALTER COLUMN requires_approval TYPE boolean USING COALESCE(requires_approval, false),
        ALTER COLUMN requires_approval SET DEFAULT false,
        ALTER COLUMN requires_approval SET NOT NULL`);
    await runner.query('ALTER TABLE company DROP COLUMN foreign_text_policy');
  }
}
