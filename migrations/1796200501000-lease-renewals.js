/**
 * Renewing a lease touches no index. Turns that nobody attends to are among the few unfinished ones, which have an index
 * of their own; one by the lease had to be written with every renewal and every batch of events.
 */

export class LeaseRenewals1796200501000 {
  name = 'LeaseRenewals1796200501000';

  async up(runner) {
    await runner.query('DROP INDEX turn_lease');
  }

  async down(runner) {
    await runner.query(
      `CREATE INDEX turn_lease ON turn (lease_until) WHERE status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')`,
    );
  }
}
