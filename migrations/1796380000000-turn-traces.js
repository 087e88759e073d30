/** By which the runs of a turn, in whatever process, belong to the trace of the request that started it. */
export class TurnTraces1796380000000 {
  name = 'TurnTraces1796380000000';

  async up(runner) {
    await runner.query('ALTER TABLE turn ADD COLUMN trace_start text, ADD COLUMN trace_run text');
  }

  async down(runner) {
    await runner.query('ALTER TABLE turn DROP COLUMN trace_run, DROP COLUMN trace_start');
  }
}
