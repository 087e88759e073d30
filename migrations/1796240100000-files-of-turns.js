/** A turn is shown with the files that were made in it. */
export class FilesOfTurns1796240100000 {
  name = 'FilesOfTurns1796240100000';

  async up(runner) {
    await runner.query(
      'CREATE INDEX stored_file_turn ON stored_file (company_id, turn_id, id) WHERE turn_id IS NOT NULL',
    );
  }

  async down(runner) {
    await runner.query('DROP INDEX stored_file_turn');
  }
}
