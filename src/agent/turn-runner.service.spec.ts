import { describe, expect, it } from '@jest/globals';

import { newId } from '../common/ids.js';
import { createLogger } from '../common/logger.js';
import { readConfig } from '../config/config.js';
import type { JobQueue } from '../jobs/job-queue.js';
import { InProcessPubSub } from '../pubsub/in-process-pub-sub.js';
import { type TurnAddress, turnTopics } from '../turns/run-turn.js';
import type { ClaimedTurn, TurnClaims } from '../turns/turn-claims.service.js';
import type { TurnOutcome } from '../turns/turn-ends.service.js';
import { TurnRunner } from './turn-runner.service.js';
import type { TurnWork } from './turn-work.service.js';

interface Claiming {
  turnId: string;
  answer: (claimed: ClaimedTurn | null) => void;
}

/** A runner whose claims are answered by hand, and whose turns wait until they are stopped. */
const start = async (maxTurns = 2) => {
  const pubSub = new InProcessPubSub();
  const claimings: Claiming[] = [];
  const ends: [string, TurnOutcome][] = [];
  const claims = {
    claim: ({ turnId }: TurnAddress) =>
      new Promise<ClaimedTurn | null>((answer) => claimings.push({ turnId, answer })),
    end: ({ claim }: ClaimedTurn, outcome: TurnOutcome) => {
      ends.push([claim.turnId, outcome]);
      return Promise.resolve();
    },
  } as unknown as TurnClaims;
  const work = {
    prepare: () => Promise.reject(new Error('The context cannot be read.')),
  } as unknown as TurnWork;
  const jobs = { work: () => Promise.resolve() } as unknown as JobQueue;
  const logger = createLogger({ level: 'silent', pretty: false });
  const config = readConfig({ MAX_TURNS: String(maxTurns) });
  const runner = new TurnRunner(config, claims, work, jobs, pubSub, logger);
  await runner.onApplicationBootstrap();
  const companyId = newId();
  return {
    runner,
    claimings,
    ends,
    offer: (turnId: string) => pubSub.publish(turnTopics.queued, JSON.stringify({ companyId, turnId })),
    stop: (turnId: string) =>
      pubSub.publish(turnTopics.stop, JSON.stringify({ companyId, turnId, reason: 'CANCELLED' })),
    claimed: (turnId: string) =>
      ({
        turn: { id: turnId, stopReason: null, conversationId: newId() },
        claim: { companyId, turnId, attempt: 1 },
      }) as unknown as ClaimedTurn,
  };
};

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the runner of turns', () => {
  it('claims a turn again that was offered while its claim looked too early', async () => {
    const { claimings, offer, runner } = await start();
    const turnId = newId();
    offer(turnId);
    offer(turnId);
    expect(claimings).toHaveLength(1);
    claimings[0]?.answer(null);
    await settled();
    expect(claimings.map((each) => each.turnId)).toEqual([turnId, turnId]);
    claimings[1]?.answer(null);
    await settled();
    expect(claimings).toHaveLength(2);
    await runner.onApplicationShutdown();
  });

  it('heeds a stop that came between the claim and the run', async () => {
    const { claimings, ends, offer, stop, claimed, runner } = await start();
    const turnId = newId();
    offer(turnId);
    stop(turnId);
    claimings[0]?.answer(claimed(turnId));
    await runner.onApplicationShutdown();
    expect(ends).toEqual([
      [turnId, expect.objectContaining({ status: 'CANCELLED', finishReason: 'CANCELLED', text: '' })],
    ]);
  });

  it('ends a turn whose context cannot be read, and takes the next', async () => {
    const { claimings, ends, offer, claimed, runner } = await start(1);
    const [first, second] = [newId(), newId()];
    offer(first);
    offer(second);
    offer(second);
    expect(claimings.map((each) => each.turnId)).toEqual([first]);
    claimings[0]?.answer(claimed(first));
    await settled();
    expect(ends).toEqual([
      [
        first,
        expect.objectContaining({ status: 'FAILED', error: expect.objectContaining({ code: 'INTERNAL' }) }),
      ],
    ]);
    expect(claimings.map((each) => each.turnId)).toEqual([first, second]);
    claimings[1]?.answer(null);
    await runner.onApplicationShutdown();
  });

  it('takes nothing more once it stops', async () => {
    const { claimings, offer, runner } = await start();
    await runner.onApplicationShutdown();
    offer(newId());
    expect(claimings).toEqual([]);
  });
});
