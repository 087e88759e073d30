import { Injectable } from '@nestjs/common';

import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import type { Approval } from '../approvals/approval.entity.js';
import { ApprovalRepository } from '../approvals/approval.repository.js';
import { StepEchoRepository } from '../echoes/step-echo.repository.js';
import type { Echo } from '../../llm/chat-model.js';
import { ModelCalls } from '../model-calls/model-calls.service.js';
import type { SkillCall } from '../skill-calls/skill-call.entity.js';
import { SkillCallRepository } from '../skill-calls/skill-call.repository.js';
import type { FinishReason, Usage } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import { TurnRepository } from '../turn.repository.js';
import type { Append } from './turn-event.repository.js';

/** The rows that go with a turn's events: what they tell of, and what was done beside them. */
@Injectable()
export class TurnRecords {
  constructor(
    private readonly turns: TurnRepository,
    private readonly skillCalls: SkillCallRepository,
    private readonly modelCalls: ModelCalls,
    private readonly approvals: ApprovalRepository,
    private readonly echoes: StepEchoRepository,
  ) {}

  /** Brings them into step with the events that were sent to be added in `tx` just before, as far as these are added. */
  async keepUp(tx: Transaction, parts: readonly Append[], at: Date): Promise<void> {
    const calls = parts.flatMap(({ claim: { companyId, turnId }, calls: made }) =>
      made.map((call) => ({ companyId, turnId, call })),
    );
    const moved = parts.filter(({ entries }) => entries.some(({ type }) => type === 'moved-to-background'));
    await together([
      this.skillCalls.apply(tx, parts, at),
      this.echoes.apply(tx, parts),
      this.modelCalls.add(tx, calls),
      moved.length === 0
        ? null
        : this.turns.moveToBackground(
            tx,
            moved.map(({ claim }) => claim),
            at,
          ),
    ]);
  }

  /** Closes what a turn leaves open that ends. */
  async close(
    tx: Transaction,
    turn: Turn,
    { finishReason, usage }: { finishReason: FinishReason; usage: Usage },
    at: Date,
  ): Promise<void> {
    await together([
      // A turn that is answered has waited for every call that it asked for.
      finishReason === 'ANSWERED' ? null : this.skillCalls.closeOpen(tx, turn.id, at),
      turn.status === 'WAITING_FOR_APPROVAL' ? this.approvals.closeOf(tx, turn.id, at) : null,
      hasNoSteps(turn, usage) ? null : this.echoes.delete(tx, [turn.id], null),
    ]);
  }

  /** The skill calls that were begun in a turn, in the order of asking. */
  listSkillCalls(tx: Transaction, turnId: string): Promise<SkillCall[]> {
    return this.skillCalls.list(tx, [turnId]);
  }

  /** What models want back with the steps of a turn that has not ended, by step. */
  listEchoes(tx: Transaction, turnId: string): Promise<Map<number, Echo>> {
    return this.echoes.list(tx, turnId);
  }

  /** What people were asked in a turn, and what they answered. */
  listApprovals(tx: Transaction, turnId: string): Promise<Approval[]> {
    return this.approvals.listOf(tx, [turnId]);
  }

  /** Removes those of a conversation's turns that would not go with their rows. */
  deleteOf(tx: Transaction, conversationId: string): Promise<void> {
    return this.modelCalls.deleteOf(tx, conversationId);
  }
}

/** Answered at once by its first owner, as most are: for these no statement is sent. */
const hasNoSteps = ({ status, attempt }: Turn, { skillCalls }: Usage): boolean =>
  status === 'RUNNING' && attempt <= 1 && skillCalls === 0;
