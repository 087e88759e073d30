/** What assistants remember of members and for companies, and which of them do so. */

// On for the one that ships as a personal assistant, in companies that have it already.
const ASSISTANTS = `
  ALTER TABLE assistant
    ADD COLUMN recalls_conversations boolean NOT NULL DEFAULT false,
    ADD COLUMN extracts_memories boolean NOT NULL DEFAULT false;
  -- Row-level security holds the owner of the table too, and this is for all companies at once.
  ALTER TABLE assistant NO FORCE ROW LEVEL SECURITY;
  UPDATE assistant SET recalls_conversations = true, extracts_memories = true WHERE key = 'therese';
  ALTER TABLE assistant FORCE ROW LEVEL SECURITY`;

// Versions of one lineage follow each other; the one without a successor is in force. Null owner: the whole company's.
const MEMORIES = `
  CREATE TABLE memory (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    lineage_id uuid NOT NULL,
    owner_id uuid,
    kind text NOT NULL,
    subject text NOT NULL,
    subject_key text NOT NULL,
    content text NOT NULL,
    attributes jsonb NOT NULL DEFAULT '{}',
    source text NOT NULL,
    created_by uuid,
    source_message_id uuid,
    valid_from timestamptz(3) NOT NULL,
    superseded_by uuid,
    superseded_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT memory_pkey PRIMARY KEY (company_id, id)
  );
  ALTER TABLE memory ADD CONSTRAINT memory_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE memory ADD CONSTRAINT memory_owner_fkey
    FOREIGN KEY (company_id, owner_id) REFERENCES member(company_id,id) ON DELETE CASCADE;
  CREATE UNIQUE INDEX memory_personal_subject ON memory (company_id, owner_id, kind, subject_key)
    WHERE superseded_by IS NULL AND owner_id IS NOT NULL;
  CREATE UNIQUE INDEX memory_shared_subject ON memory (company_id, kind, subject_key)
    WHERE superseded_by IS NULL AND owner_id IS NULL;
  CREATE INDEX memory_list ON memory (company_id, owner_id, kind, id);
  CREATE INDEX memory_in_force ON memory (company_id, owner_id, kind, id) WHERE superseded_by IS NULL;
  CREATE INDEX memory_superseded ON memory (company_id, owner_id, kind, id) WHERE superseded_by IS NOT NULL;
  CREATE INDEX memory_lineage ON memory (company_id, lineage_id, id)`;

// A row for each owner, held while its memories are changed. The holder is the member, or the company for what is
// shared: a null cannot stand in a primary key.
const OWNERS = `
  CREATE TABLE memory_owner (
    company_id uuid NOT NULL,
    holder_id uuid NOT NULL,
    owner_id uuid,
    in_force integer NOT NULL DEFAULT 0,
    CONSTRAINT memory_owner_pkey PRIMARY KEY (company_id, holder_id)
  );
  ALTER TABLE memory_owner ADD CONSTRAINT memory_owner_company_fkey
    FOREIGN KEY (company_id) REFERENCES company(id) ON DELETE CASCADE;
  ALTER TABLE memory_owner ADD CONSTRAINT memory_owner_member_fkey
    FOREIGN KEY (company_id, owner_id) REFERENCES member(company_id,id) ON DELETE CASCADE`;

// By which words of a message a project or a contact is recognised; the owner is its memory's, so that what is common
// among others' memories is not read. (A null cannot stand in a primary key.)
const NAMES = `
  CREATE TABLE memory_name (
    company_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    key text NOT NULL,
    owner_id uuid,
    CONSTRAINT memory_name_pkey PRIMARY KEY (company_id, memory_id, key)
  );
  ALTER TABLE memory_name ADD CONSTRAINT memory_name_memory_fkey
    FOREIGN KEY (company_id, memory_id) REFERENCES memory(company_id,id) ON DELETE CASCADE;
  CREATE INDEX memory_name_key ON memory_name (company_id, owner_id, key, memory_id)`;

const tables = ['memory', 'memory_name', 'memory_owner'];

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

export class Memory1795737660000 {
  name = 'Memory1795737660000';

  async up(runner) {
    await runner.query(ASSISTANTS);
    await runner.query(MEMORIES);
    await runner.query(OWNERS);
    await runner.query(NAMES);
    for (const table of tables) await runner.query(secure(table));
  }

  async down(runner) {
    await runner.query(`
      DROP TABLE memory_name, memory_owner, memory;
      ALTER TABLE assistant DROP COLUMN recalls_conversations, DROP COLUMN extracts_memories`);
  }
}
