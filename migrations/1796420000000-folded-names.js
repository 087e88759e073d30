/** Names of memories are compared as everything else is: these letters were told apart before. */
export class FoldedNames1796420000000 {
  name = 'FoldedNames1796420000000';

  async up(runner) {
    await runner.query('ALTER TABLE memory_name NO FORCE ROW LEVEL SECURITY');
    await runner.query(
      `UPDATE memory_name SET key = translate(key, 'ςħŋŧɓɖɗɛƒɣƙɲɔʋƴىیةک', 'σhntbddefgknovyييهك')
       WHERE key ~ '[ςħŋŧɓɖɗɛƒɣƙɲɔʋƴىیةک]'`,
    );
    await runner.query('ALTER TABLE memory_name FORCE ROW LEVEL SECURITY');
  }

  async down() {
    // Which letter it was is not known any more, and does not matter: names are found all the same.
  }
}
