/** In which pieces a turn's answer was told: a turn whose events are gone is replayed in the same ones. */

export class AnswerPieces1796200500000 {
  name = 'AnswerPieces1796200500000';

  async up(runner) {
    await runner.query('ALTER TABLE turn ADD COLUMN answer_pieces integer[]');
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN answer_pieces');
  }
}
