/**
 * A policy for a role holds for whoever inherits that role, as the one who makes the tables does. So policies ask for the
 * role that is in force, and who only inherits it sees nothing. Partitions are closed by themselves, too.
 */

const currentCompany = (value) => `
  CREATE OR REPLACE FUNCTION current_company_id() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE RETURN ${value}`;

const COMPANY = `nullif(current_setting('palabre.company_id', true), '')::uuid`;

const installation = (condition) => `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = 'installation' LOOP
      EXECUTE format('ALTER POLICY installation ON public.%I USING (${condition}) WITH CHECK (${condition})', name);
    END LOOP;
  END $$`;

const partitions = (action) => `
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT relname FROM pg_class
      WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
      EXECUTE format('ALTER TABLE public.%I ${action} ROW LEVEL SECURITY', name);
    END LOOP;
  END $$`;

const RESTS = ['turn_event_rest', 'model_call_rest'];

// What is past its retention is taken from there by the installation, for all companies at once.
const emptied = (table) => `
  CREATE POLICY installation ON ${table} TO palabre_system USING (current_user = 'palabre_system');
  GRANT SELECT (turn_id), DELETE ON ${table} TO palabre_system`;

const kept = (table) => `
  DROP POLICY installation ON ${table};
  REVOKE ALL ON ${table} FROM palabre_system`;

export class SecondWall1796200300000 {
  name = 'SecondWall1796200300000';

  async up(runner) {
    await runner.query(currentCompany(`CASE WHEN current_user = 'palabre_app' THEN ${COMPANY} END`));
    await runner.query(installation(`current_user = ''palabre_system''`));
    for (const action of ['ENABLE', 'FORCE']) await runner.query(partitions(action));
    for (const table of RESTS) await runner.query(emptied(table));
  }

  async down(runner) {
    for (const table of RESTS) await runner.query(kept(table));
    for (const action of ['NO FORCE', 'DISABLE']) await runner.query(partitions(action));
    await runner.query(installation('true'));
    await runner.query(currentCompany(COMPANY));
  }
}
