/** Admins choose skills that hosts of the Model Context Protocol are offered as tools. */
export class ExposedSkills1796475000000 {
  name = 'ExposedSkills1796475000000';

  async up(runner) {
    await runner.query('ALTER TABLE skill ADD COLUMN exposed boolean NOT NULL DEFAULT false');
  }

  async down(runner) {
    await runner.query('ALTER TABLE skill DROP COLUMN exposed');
  }
}
