import { finish, text } from '@palabre/llm-client/scripted-chat-model.double.js';

import type { Transaction } from '../../src/platform/database/transaction.js';
import { TurnEventRepository } from '../../src/conversations/turns/log/turn-event.repository.js';
import type { Claim } from '../../src/conversations/turns/claims/turn-claim.js';
import { TurnClaimRepository } from '../../src/conversations/turns/claims/turn-claim.repository.js';
import { planOf } from '../harness/plan-of.js';
import { startApp, type TestApp } from '../harness/start-app.js';
import { turnOf } from '../harness/turn-view.js';

let app: TestApp;
let claim: Claim;
let claims: TurnClaimRepository;
let events: TurnEventRepository;

beforeAll(async () => {
  app = await startApp(() => [text('Yes.'), finish()]);
  const { config } = app.server.resources;
  [claims, events] = [new TurnClaimRepository(config), new TurnEventRepository(config)];
  const client = await app.client();
  const { turnId } = await client.ask('Are you there?');
  await client.allEvents(turnId);
  // As if another process ran it.
  const [row] = await app.database.dataSource
    .query(
      `UPDATE turn SET status = 'RUNNING', finished_at = NULL, lease_until = now() + interval '1 hour'
       WHERE id = $1 RETURNING company_id AS "companyId", id AS "turnId", attempt`,
      [turnId],
    )
    .then(([rows]: [Claim[]]) => rows);
  claim = row!;
});
afterAll(() => app[Symbol.asyncDispose]());

interface Writes {
  written: number;
  /** Of those, the ones that left every index as it was. */
  hot: number;
}

/** What `write` does to the rows of turns, so many times: as the server counts it, which may count what went before too. */
async function writesOf(write: (tx: Transaction) => Promise<unknown>, times: number): Promise<Writes> {
  const total = { written: 0, hot: 0 };
  for (let time = 0; time < times; time += 1) {
    await app.database.systemTransaction(async (tx) => {
      await write(tx);
      const [writes] = await tx.query<Writes>(
        `SELECT n_tup_upd::int AS written, n_tup_hot_upd::int AS hot
         FROM pg_stat_xact_user_tables WHERE relname = 'turn'`,
      );
      total.written += writes!.written;
      total.hot += writes!.hot;
    });
  }
  return total;
}

it('keeps leases and stores events without touching an index', async () => {
  const client = await app.client();
  let { lastSequence: before } = await turnOf(client, claim.turnId);
  const renewals = await writesOf((tx) => claims.renew(tx, [claim]), 50);
  const append = (tx: Transaction) =>
    events.append(
      tx,
      [{ claim, before: before++, entries: [{ type: 'text-delta', text: '.' }], calls: [] }],
      new Date(),
    );
  const appends = await writesOf(append, 50);
  for (const { written, hot } of [renewals, appends]) {
    expect(written).toBeGreaterThanOrEqual(50);
    // But for those that found no room left on their page.
    expect(hot).toBeGreaterThan(0.9 * written);
  }
});

it('says of the turns that nobody attends to whether more of their company follow', async () => {
  await app.database.dataSource.query(
    `INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status, background_at)
     SELECT company_id, gen_random_uuid(), conversation_id, member_id, role, gen_random_uuid(), gen_random_uuid(),
       'IN_BACKGROUND', now()
     FROM turn CROSS JOIN generate_series(1, 3) WHERE id = $1`,
    [claim.turnId],
  );
  const followed = async (background: number): Promise<boolean[]> => {
    const found = await app.database.systemTransaction((tx) =>
      claims.listUnattended(tx, { foreground: 0, background }),
    );
    return found.map(({ isFollowed }) => isFollowed);
  };
  expect(await followed(2)).toEqual([true, true]);
  expect(await followed(4)).toEqual([true, true, false]);
  await app.database.dataSource.query(`DELETE FROM turn WHERE status = 'IN_BACKGROUND'`);
});

it('finds the turns that nobody attends to without reading those that have ended', async () => {
  await app.database.dataSource.query(
    `INSERT INTO turn (company_id, id, conversation_id, member_id, role, question_id, answer_id, status)
     SELECT company_id, gen_random_uuid(), conversation_id, member_id, role, gen_random_uuid(), gen_random_uuid(),
       'COMPLETED'
     FROM turn CROSS JOIN generate_series(1, 5000) WHERE id = $1`,
    [claim.turnId],
  );
  await app.database.dataSource.query('ANALYZE turn');
  for (const look of [
    (tx: Transaction) => claims.listUnattended(tx, { foreground: 50, background: 20 }),
    (tx: Transaction) => claims.countUnattended(tx),
    (tx: Transaction) => claims.endLeases(tx),
  ]) {
    const plan = await app.database.systemTransaction((tx) => planOf(tx, look));
    expect(plan).not.toContain('Seq Scan on turn');
    expect(plan).toContain('unfinished');
  }
});
