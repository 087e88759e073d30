/** Questions that are asked at certain times, and what came of each time. */

const SCHEDULE = `
  CREATE TABLE schedule (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    member_id uuid NOT NULL,
    assistant_id uuid NOT NULL,
    conversation_id uuid,
    message text NOT NULL,
    cron text,
    at timestamp(3) with time zone,
    time_zone text NOT NULL,
    missed_runs text NOT NULL,
    status text NOT NULL,
    paused_reason text,
    next_at timestamp(3) with time zone,
    active_since timestamp(3) with time zone NOT NULL,
    last_turn_id uuid,
    CONSTRAINT schedule_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT schedule_member_fkey FOREIGN KEY (company_id, member_id)
      REFERENCES member(company_id, id) ON DELETE CASCADE,
    CONSTRAINT schedule_assistant_fkey FOREIGN KEY (company_id, assistant_id)
      REFERENCES assistant(company_id, id) ON DELETE CASCADE
  );
  CREATE INDEX schedule_member ON schedule (company_id, member_id, id);
  CREATE INDEX schedule_assistant ON schedule (company_id, assistant_id);
  CREATE INDEX schedule_due ON schedule (next_at) WHERE next_at IS NOT NULL`;

const RUN = `
  CREATE TABLE schedule_run (
    company_id uuid NOT NULL,
    id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
    schedule_id uuid NOT NULL,
    due_at timestamp(3) with time zone NOT NULL,
    outcome text NOT NULL,
    reason text,
    turn_id uuid,
    CONSTRAINT schedule_run_pkey PRIMARY KEY (company_id, id),
    CONSTRAINT schedule_run_schedule_fkey FOREIGN KEY (company_id, schedule_id)
      REFERENCES schedule(company_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX schedule_run_due ON schedule_run (company_id, schedule_id, due_at);
  CREATE INDEX schedule_run_latest ON schedule_run (company_id, schedule_id, id)`;

const secure = (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO palabre_app
    USING (company_id = current_company_id()) WITH CHECK (company_id = current_company_id());
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO palabre_app`;

// The installation looks for those of all companies that are due, and reads no more than which.
const RIGHTS = `
  CREATE POLICY installation ON schedule FOR SELECT TO palabre_system USING (current_user = 'palabre_system');
  GRANT SELECT (company_id, id, next_at) ON schedule TO palabre_system`;

export class Schedules1796370000000 {
  name = 'Schedules1796370000000';

  async up(runner) {
    await runner.query(SCHEDULE);
    await runner.query(RUN);
    for (const table of ['schedule', 'schedule_run']) await runner.query(secure(table));
    await runner.query(RIGHTS);
    await runner.query('ALTER TABLE turn ADD COLUMN schedule_id uuid');
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN schedule_id');
    await runner.query('DROP TABLE schedule_run, schedule');
  }
}
