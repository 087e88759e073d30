import { Injectable } from '@nestjs/common';
import type { Echo } from '@palabre/llm-client';

import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import type { PendingInput } from '../inputs/pending-input.entity.js';
import { PendingInputRepository } from '../inputs/pending-input.repository.js';
import { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import type { SkillCall } from '../skill-call.entity.js';
import { SkillCallRepository } from '../skill-call.repository.js';
import type { PlanDecision } from '../turn-event.js';
import { TurnEventRepository } from './turn-event.repository.js';

/** The progress of a turn's earlier owners. */
interface TurnCheckpoint {
  calls: SkillCall[];
  decided: PlanDecision[];
  inputs: PendingInput[];
  /** By step. */
  echoes: ReadonlyMap<number, Echo>;
}

/** Reads what the next owner of a turn continues from. */
@Injectable()
export class TurnCheckpoints {
  constructor(
    private readonly skillCalls: SkillCallRepository,
    private readonly events: TurnEventRepository,
    private readonly inputs: PendingInputRepository,
    private readonly echoes: StepEchoRepository,
  ) {}

  async read(tx: Transaction, turnId: string): Promise<TurnCheckpoint> {
    const [calls, decided, inputs, echoes] = await awaitAll([
      this.listSkillCalls(tx, turnId),
      this.events.listDecisions(tx, turnId),
      this.inputs.listOf(tx, [turnId]),
      this.echoes.list(tx, turnId),
    ]);
    return { calls, decided, inputs, echoes };
  }

  listSkillCalls(tx: Transaction, turnId: string): Promise<SkillCall[]> {
    return this.skillCalls.list(tx, [turnId]);
  }
}
