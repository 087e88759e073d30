import type { Transaction } from '../../../platform/database/transaction.js';
import type { PendingInputRepository } from '../inputs/pending-input.repository.js';
import type { StoredModelCall } from '../model-calls/model-call.js';
import type { MessageTree } from '../../message-tree.service.js';
import type { ModelCalls } from '../model-calls/model-calls.service.js';
import type { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import type { SkillCallRepository } from '../skill-call.repository.js';
import type { FinishReason, TurnEntry, TurnStatus } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import type { TurnClaimRepository } from '../claims/turn-claim.repository.js';
import type { TurnRepository } from '../turn.repository.js';
import type { Append } from './turn-event.repository.js';
import { TurnRecords } from './turn-records.service.js';

const tx = {} as Transaction;
const at = new Date(0);

function start() {
  /** What was done, in this order. */
  const done: string[] = [];
  const turns: Pick<TurnRepository, 'listUnfinished'> = { listUnfinished: () => Promise.resolve([]) };
  const claims: Pick<TurnClaimRepository, 'moveToBackground'> = {
    moveToBackground: async (_tx, claims) =>
      void done.push(...claims.map(({ turnId }) => `${turnId} is in the background`)),
  };
  const skillCalls: Pick<SkillCallRepository, 'apply' | 'closeOpen'> = {
    apply: async (_tx, parts) => void done.push(`skill calls of ${parts.length} turns`),
    closeOpen: async (_tx, turnId) => void done.push(`open calls of ${turnId}`),
  };
  const modelCalls: Pick<ModelCalls, 'add'> = {
    add: async (_tx, calls) =>
      void done.push(
        ...calls.map(({ companyId, turnId, call }) => `${call.id} of ${turnId} of ${companyId}`),
      ),
  };
  const inputs: Pick<PendingInputRepository, 'closeOf'> = {
    closeOf: async () => [{ id: 'i', status: 'CANCELLED' }],
  };
  const echoes: Pick<StepEchoRepository, 'apply' | 'delete'> = {
    apply: async (_tx, parts) => void done.push(`echoes of ${parts.length} turns`),
    delete: async (_tx, turnIds) => void done.push(`echoes of ${turnIds.join()}`),
  };
  const records = new TurnRecords(
    turns as TurnRepository,
    claims as TurnClaimRepository,
    skillCalls as SkillCallRepository,
    modelCalls as ModelCalls,
    inputs as PendingInputRepository,
    echoes as StepEchoRepository,
    { giveUp: async (_tx, _id, { answerId }) => void done.push(`branch ${answerId}`) } as Pick<
      MessageTree,
      'giveUp'
    > as MessageTree,
  );
  return { records, done };
}

function partOf(turnId: string, entries: TurnEntry[], calls: string[] = []): Append {
  return {
    claim: { companyId: 'nord', turnId, attempt: 1 },
    before: 0,
    entries,
    calls: calls.map((id) => ({ id }) as StoredModelCall),
  };
}

describe('what goes with the events of turns', () => {
  it('is their skill calls, their model calls, and their move to the background', async () => {
    const { records, done } = start();
    const moved: TurnEntry = { type: 'moved-to-background', reason: null, message: 'Later.' };
    const text: TurnEntry = { type: 'text-delta', text: 'So' };
    await records.applyEntries(
      tx,
      [partOf('a', [text, moved], ['m1', 'm2']), partOf('b', [text], ['m3'])],
      at,
    );
    expect(done).toEqual([
      'skill calls of 2 turns',
      'echoes of 2 turns',
      'm1 of a of nord',
      'm2 of a of nord',
      'm3 of b of nord',
      'a is in the background',
    ]);
  });
});

describe('what a turn leaves open that ends', () => {
  it.each<[TurnStatus, FinishReason, string[], { attempt?: number; hasEchoes?: boolean }?]>([
    ['RUNNING', 'ANSWERED', []],
    ['RUNNING', 'ANSWERED', ['echoes of a'], { hasEchoes: true }],
    ['RUNNING', 'ANSWERED', ['echoes of a'], { attempt: 2 }],
    ['RUNNING', 'CANCELLED', ['open calls of a']],
    ['RUNNING', 'MAX_SECONDS', ['open calls of a']],
    ['QUEUED', 'CANCELLED', ['open calls of a', 'echoes of a'], { hasEchoes: true }],
  ])(
    'is closed: %s, %s, %j',
    async (status, finishReason, closed, { attempt = 1, hasEchoes = false } = {}) => {
      const { records, done } = start();
      const end = { finishReason, hasEchoes, messageId: null };
      await records.close(tx, { id: 'a', questionId: 'q', status, attempt } as Turn, end, at);
      expect(done).toEqual(closed);
    },
  );

  it('is told of what people were asked for', async () => {
    expect(await start().records.closeInputs(tx, 'a')).toEqual([
      { type: 'input-resolved', inputId: 'i', inputStatus: 'CANCELLED' },
    ]);
  });

  it.each([
    ['is given up without one', null, ['branch c']],
    ['stays with one', 'c', []],
  ])('that answers anew: the branch of its answer %s', async (_, messageId, closed) => {
    const { records, done } = start();
    const turn = { id: 'b', questionId: 'a', answerId: 'c', status: 'RUNNING', attempt: 1 } as Turn;
    await records.close(tx, turn, { finishReason: 'ANSWERED', hasEchoes: false, messageId }, at);
    expect(done).toEqual(closed);
  });
});
