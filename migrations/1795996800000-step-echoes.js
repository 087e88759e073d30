/** What models want back, to the letter, with the steps of turns that have not ended. */

// A row goes with the end of its turn: nobody needs it any more, and what it holds nobody may be shown.
const ECHOES = `
  CREATE TABLE step_echo (
    company_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    step integer NOT NULL,
    model text NOT NULL,
    data text NOT NULL,
    CONSTRAINT step_echo_pkey PRIMARY KEY (company_id, turn_id, step)
  );
  ALTER TABLE step_echo ADD CONSTRAINT step_echo_turn_fkey
    FOREIGN KEY (company_id, turn_id) REFERENCES turn(company_id,id) ON DELETE CASCADE`;

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// The installation's own statements store them with the events of their steps, and read none.
const RIGHTS = `
  CREATE POLICY installation ON step_echo TO palabre_system USING (true) WITH CHECK (true);
  GRANT INSERT ON step_echo TO palabre_system`;

export class StepEchoes1795996800000 {
  name = 'StepEchoes1795996800000';

  async up(runner) {
    await runner.query(ECHOES);
    await runner.query(secure('step_echo'));
    await runner.query(RIGHTS);
  }

  async down(runner) {
    await runner.query('DROP TABLE step_echo');
  }
}
