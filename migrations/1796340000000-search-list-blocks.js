/** The lists of rare terms lie many in a row: a row each takes several times as much as its data. */

// As with `search_list`, a batch writes rows anew: their pages keep room for it.
const TABLE = `
  CREATE TABLE search_list_block (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    first_term integer NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT search_list_block_pkey PRIMARY KEY (company_id, scope_id, first_term)
  ) WITH (fillfactor = 50, toast_tuple_target = 8160);
  ALTER TABLE search_list_block ALTER COLUMN data SET STORAGE EXTERNAL;
  ALTER TABLE search_list_block ADD CONSTRAINT search_list_block_scope_fkey
    FOREIGN KEY (company_id, scope_id) REFERENCES search_scope(company_id,id) ON DELETE CASCADE;
  ALTER TABLE search_list_block ENABLE ROW LEVEL SECURITY;
  ALTER TABLE search_list_block FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON search_list_block TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON search_list_block TO palabre_app`;

// Lists that are there are right as they are. A compaction puts the short ones into blocks: it is owed from now on. The
// policies show nothing to the table's owner, unless it is not bound by them.
const OWED = `
  ALTER TABLE search_scope NO FORCE ROW LEVEL SECURITY;
  UPDATE search_scope SET compaction = json_build_object('term', -2147483648, 'deadCount', 0)
    WHERE indexed_until > 1 AND compaction IS NULL;
  ALTER TABLE search_scope FORCE ROW LEVEL SECURITY`;

export class SearchListBlocks1796340000000 {
  name = 'SearchListBlocks1796340000000';

  async up(runner) {
    await runner.query(TABLE);
    await runner.query(OWED);
  }

  /** What was in blocks is lost: all items go back to those that are not listed yet. */
  async down(runner) {
    await runner.query(`
      DROP TABLE search_list_block;
      TRUNCATE search_list, search_list_part;
      ALTER TABLE search_scope NO FORCE ROW LEVEL SECURITY;
      UPDATE search_scope SET indexed_until = 1, tail_length = total_length, dead_count = 0, compaction = NULL;
      ALTER TABLE search_scope FORCE ROW LEVEL SECURITY`);
  }
}
