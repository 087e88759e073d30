/** Where in a passage its later pages begin, so that what is quoted of it is cited with the page that it stands on. */

export class PageBreaks1796083320000 {
  name = 'PageBreaks1796083320000';

  async up(runner) {
    await runner.query(`ALTER TABLE passage ADD COLUMN page_breaks jsonb NOT NULL DEFAULT '[]'`);
  }

  async down(runner) {
    await runner.query('ALTER TABLE passage DROP COLUMN page_breaks');
  }
}
