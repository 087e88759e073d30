import { notFound } from '../../common/errors/domain-error.js';
import { createLogger } from '../../common/process/logger.js';
import { ManualClock } from '../../common/manual-clock.double.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { NoTracing } from '../../platform/tracing/tracing.js';
import type { CreatedTurn } from '../../conversations/turns/claims/turn-queue.service.js';
import type { TurnClaims } from '../../conversations/turns/claims/turn-claims.service.js';
import type { TurnLeases } from '../../conversations/turns/claims/turn-leases.service.js';
import { RunStarter } from './run-starter.service.js';
import type { TurnWork } from './turn-work.service.js';

function read(failure: unknown): Promise<unknown> {
  const work = { read: () => Promise.reject(failure) } as unknown as TurnWork;
  const logger = createLogger({ level: 'silent', pretty: false });
  const runs = new RunStarter(
    {} as TurnClaims,
    {} as TurnLeases,
    work,
    new ManualClock(),
    logger,
    new Metrics(),
    new NoTracing(),
  );
  return runs.read({} as Transaction, {} as CreatedTurn);
}

it('leaves it to the run to tell why it cannot be run', async () => {
  expect(await read(notFound('company'))).toBeNull();
});

it.each([
  ['a statement failed', { code: '25P02' }],
  ['the connection was lost', { code: 'ECONNRESET' }],
])('fails with the transaction when %s', async (_, failure) => {
  await expect(read(failure)).rejects.toBe(failure);
});
