/** Names of memories are compared as everything else is: these letters were told apart before. */
export class FoldedNames1796420000000 {
  name = 'FoldedNames1796420000000';

  async up(runner) {
    await runner.query('ALTER TABLE memory_name NO FORCE ROW LEVEL SECURITY');
    // Two spellings that one memory had become the same name.
    await runner.query(
      `WITH old AS (
         DELETE FROM memory_name WHERE key ~ '[ςħŋŧɓɖɗɛƒɣƙɲɔʋƴىیةک]' RETURNING company_id, memory_id, owner_id, key)
       INSERT INTO memory_name (company_id, memory_id, owner_id, key)
       SELECT company_id, memory_id, owner_id, translate(key, 'ςħŋŧɓɖɗɛƒɣƙɲɔʋƴىیةک', 'σhntbddefgknovyييهك') FROM old
       ON CONFLICT DO NOTHING`,
    );
    await runner.query('ALTER TABLE memory_name FORCE ROW LEVEL SECURITY');
  }

  async down() {
    // Which letter it was is not known any more, and does not matter: names are found all the same.
  }
}
