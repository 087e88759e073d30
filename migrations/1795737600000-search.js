/** What memories, messages and passages are found by. */

// What is searched together. Items get ordinals from it; those below \`indexed_until\` are in the inverted lists, the
// others are read as they are. \`dead_count\` of the former are gone and still in the lists.
const SCOPES = `
  CREATE TABLE search_scope (
    company_id uuid NOT NULL,
    id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
    collection text NOT NULL,
    owner_id uuid,
    version bigint NOT NULL DEFAULT 1,
    item_count integer NOT NULL DEFAULT 0,
    total_length bigint NOT NULL DEFAULT 0,
    tail_length bigint NOT NULL DEFAULT 0,
    next_ordinal integer NOT NULL DEFAULT 1,
    indexed_until integer NOT NULL DEFAULT 1,
    usual_length real NOT NULL DEFAULT 0,
    dead_count integer NOT NULL DEFAULT 0,
    compaction jsonb,
    CONSTRAINT search_scope_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE search_scope ADD CONSTRAINT search_scope_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE search_scope ADD CONSTRAINT search_scope_owner_fkey
    FOREIGN KEY (company_id, owner_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX search_scope_owned ON search_scope (company_id, collection, owner_id)
    WHERE owner_id IS NOT NULL;
  CREATE UNIQUE INDEX search_scope_shared ON search_scope (company_id, collection)
    WHERE owner_id IS NULL`;

const ITEMS = `
  CREATE TABLE search_item (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    ordinal integer NOT NULL,
    item_id uuid NOT NULL,
    group_id uuid,
    length integer NOT NULL,
    CONSTRAINT search_item_pkey PRIMARY KEY (company_id, scope_id, ordinal)
  );
  ALTER TABLE search_item ADD CONSTRAINT search_item_scope_fkey
    FOREIGN KEY (company_id, scope_id) REFERENCES search_scope(company_id,id) ON DELETE CASCADE;
  ALTER TABLE search_item ADD CONSTRAINT search_item_item UNIQUE (company_id, item_id);
  CREATE INDEX search_item_group ON search_item (company_id, group_id) WHERE group_id IS NOT NULL`;

// A term's list grows at its end, in \`search_list\`: that is written anew by every batch, so its pages keep room for it,
// and it is short. Longer lists leave their older parts behind, which stay as they are. All of them lie in the tables
// themselves, where their rows fill the pages, and are not compressed: there is nothing to gain.
const LISTS = `
  CREATE TABLE search_list (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    term integer NOT NULL,
    df integer NOT NULL,
    first_ordinal integer NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT search_list_pkey PRIMARY KEY (company_id, scope_id, term)
  ) WITH (fillfactor = 50, toast_tuple_target = 8160);
  CREATE TABLE search_list_part (
    company_id uuid NOT NULL,
    scope_id integer NOT NULL,
    term integer NOT NULL,
    first_ordinal integer NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT search_list_part_pkey PRIMARY KEY (company_id, scope_id, term, first_ordinal)
  ) WITH (toast_tuple_target = 8160);
  ALTER TABLE search_list ALTER COLUMN data SET STORAGE EXTERNAL;
  ALTER TABLE search_list_part ALTER COLUMN data SET STORAGE EXTERNAL;
  ALTER TABLE search_list ADD CONSTRAINT search_list_scope_fkey
    FOREIGN KEY (company_id, scope_id) REFERENCES search_scope(company_id,id) ON DELETE CASCADE;
  ALTER TABLE search_list_part ADD CONSTRAINT search_list_part_scope_fkey
    FOREIGN KEY (company_id, scope_id) REFERENCES search_scope(company_id,id) ON DELETE CASCADE`;

const tables = ['search_scope', 'search_item', 'search_list', 'search_list_part'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

export class Search1795737600000 {
  name = 'Search1795737600000';

  async up(runner) {
    await runner.query(SCOPES);
    await runner.query(ITEMS);
    await runner.query(LISTS);
    for (const table of tables) await runner.query(secure(table));
  }

  async down(runner) {
    await runner.query('DROP TABLE search_list_part, search_list, search_item, search_scope');
  }
}
