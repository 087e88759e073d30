import { Injectable } from '@nestjs/common';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { MessageTree } from '../../message-tree.service.js';
import { TurnClaimRepository } from '../claims/turn-claim.repository.js';
import { PendingInputRepository } from '../inputs/pending-input.repository.js';
import { resolvedEntry } from '../inputs/shown-input.js';
import { ModelCalls } from '../model-calls/model-calls.service.js';
import { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import { SkillCallRepository } from '../skill-call.repository.js';
import type { FinishReason, TurnEntry } from '../turn-event.js';
import { answersAnew, type Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import type { Append } from './turn-event.repository.js';

/** The state of an ending turn that its rows depend on. */
interface TurnLeft {
  finishReason: FinishReason;
  hasEchoes: boolean;
  messageId: string | null;
}

@Injectable()
export class TurnRecords {
  constructor(
    private readonly turns: TurnRepository,
    private readonly claims: TurnClaimRepository,
    private readonly skillCalls: SkillCallRepository,
    private readonly modelCalls: ModelCalls,
    private readonly inputs: PendingInputRepository,
    private readonly echoes: StepEchoRepository,
    private readonly tree: MessageTree,
  ) {}

  /** Stores rows for the events of the previous statement in `tx`, for turns that were really appended to. */
  async applyEntries(tx: Transaction, parts: readonly Append[], at: Date): Promise<void> {
    const calls = parts.flatMap(({ claim: { companyId, turnId }, calls: made }) =>
      made.map((call) => ({ companyId, turnId, call })),
    );
    const moved = parts.filter(({ entries }) => entries.some(({ type }) => type === 'moved-to-background'));
    await awaitAll([
      this.skillCalls.apply(tx, parts, at),
      this.echoes.apply(tx, parts),
      this.modelCalls.add(tx, calls),
      moved.length === 0
        ? null
        : this.claims.moveToBackground(
            tx,
            moved.map(({ claim }) => claim),
            at,
          ),
    ]);
  }

  async close(
    tx: Transaction,
    turn: Turn,
    { finishReason, hasEchoes, messageId }: TurnLeft,
    at: Date,
  ): Promise<void> {
    await awaitAll([
      // An answered turn has no open skill calls: it has waited for all of them.
      finishReason === 'ANSWERED' ? null : this.skillCalls.closeOpen(tx, turn.id, at),
      // Earlier owners' echoes are unknown.
      hasEchoes || turn.attempt > 1 ? this.echoes.delete(tx, [turn.id], null) : null,
      messageId === null && answersAnew(turn) ? this.giveUpBranch(tx, turn) : null,
    ]);
  }

  private async giveUpBranch(tx: Transaction, turn: Turn): Promise<void> {
    const unfinished = await this.turns.listUnfinished(tx, [turn.conversationId]);
    const others = unfinished.filter(({ id }) => id !== turn.id);
    await this.tree.giveUp(tx, turn.conversationId, turn, others);
  }

  /** Closes an ending turn's inputs, and returns the events about that. */
  async closeInputs(tx: Transaction, turnId: string): Promise<TurnEntry[]> {
    return (await this.inputs.closeOf(tx, turnId, new Date())).map(resolvedEntry);
  }
}
