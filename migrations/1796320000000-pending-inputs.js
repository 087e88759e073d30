/** Approvals become one of the kinds of what turns wait for people to give. */

const INPUTS = `
  ALTER TABLE approval RENAME TO pending_input;
  ALTER TABLE pending_input RENAME CONSTRAINT approval_pkey TO pending_input_pkey;
  ALTER TABLE pending_input RENAME CONSTRAINT approval_turn_fkey TO pending_input_turn_fkey;
  ALTER INDEX approval_turn RENAME TO pending_input_turn;
  ALTER INDEX approval_pending RENAME TO pending_input_open;
  ALTER TABLE pending_input ADD COLUMN kind text NOT NULL DEFAULT 'APPROVAL', ADD COLUMN request jsonb,
    ADD COLUMN for_attempt integer, ADD COLUMN answer jsonb;
  ALTER TABLE pending_input ALTER COLUMN kind DROP DEFAULT`;

const activeIn = (statuses) => `
  DROP INDEX turn_one_active;
  CREATE UNIQUE INDEX turn_one_active ON turn (company_id, conversation_id)
    WHERE status IN (${statuses}) AND background_at IS NULL`;

export class PendingInputs1796320000000 {
  name = 'PendingInputs1796320000000';

  async up(runner) {
    await runner.query(INPUTS);
    await runner.query('ALTER TABLE turn ADD COLUMN client_skills jsonb');
    await runner.query(activeIn(`'RUNNING', 'WAITING_FOR_APPROVAL', 'WAITING_FOR_INPUT'`));
  }

  /** Earlier versions know approvals alone: turns that wait for anything else wait for those that are left. */
  async down(runner) {
    await runner.query(`
      ALTER TABLE turn NO FORCE ROW LEVEL SECURITY;
      ALTER TABLE pending_input NO FORCE ROW LEVEL SECURITY;
      DELETE FROM pending_input WHERE kind <> 'APPROVAL';
      UPDATE turn SET status = CASE WHEN EXISTS (SELECT FROM pending_input AS open WHERE open.company_id = turn.company_id
          AND open.turn_id = turn.id AND open.status = 'PENDING') THEN 'WAITING_FOR_APPROVAL' ELSE 'QUEUED' END
        WHERE status = 'WAITING_FOR_INPUT';
      ALTER TABLE pending_input FORCE ROW LEVEL SECURITY;
      ALTER TABLE turn FORCE ROW LEVEL SECURITY`);
    await runner.query(activeIn(`'RUNNING', 'WAITING_FOR_APPROVAL'`));
    await runner.query('ALTER TABLE turn DROP COLUMN client_skills');
    await runner.query(`
      ALTER TABLE pending_input DROP COLUMN kind, DROP COLUMN request, DROP COLUMN for_attempt, DROP COLUMN answer;
      ALTER INDEX pending_input_open RENAME TO approval_pending;
      ALTER INDEX pending_input_turn RENAME TO approval_turn;
      ALTER TABLE pending_input RENAME CONSTRAINT pending_input_turn_fkey TO approval_turn_fkey;
      ALTER TABLE pending_input RENAME CONSTRAINT pending_input_pkey TO approval_pkey;
      ALTER TABLE pending_input RENAME TO approval`);
  }
}
