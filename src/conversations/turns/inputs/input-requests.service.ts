import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { Config } from '../../../common/config/config.js';
import { newId } from '../../../common/ids.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { wellFormedValue } from '../../../common/well-formed.js';
import { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import type { AskedFor, InputAsked } from '../turn-event.js';
import type { Turn } from '../turn.entity.js';
import type { PendingInput } from './pending-input.entity.js';
import { PendingInputRepository } from './pending-input.repository.js';

const TurnOfCompany = z.object({ companyId: z.uuid(), turnId: z.uuid() });

/** Closes a turn's inputs that nobody answered in time. The name is from earlier versions, with approvals only. */
export const expireInputs = defineJob({
  name: 'expire-approvals',
  data: TurnOfCompany,
  keyOf: ({ turnId }) => turnId,
});

const HOUR_MS = 3_600_000;

@Injectable()
export class InputRequests {
  constructor(
    private readonly config: Config,
    private readonly inputs: PendingInputRepository,
    private readonly jobs: JobQueue,
    private readonly echoes: StepEchoRepository,
  ) {}

  /** Stores a turn's inputs. An expired input counts as declined. */
  async ask(
    tx: Transaction,
    turn: Turn,
    attempt: number,
    asked: readonly InputAsked[],
  ): Promise<PendingInput[]> {
    const createdAt = new Date();
    const inputs = asked.map((one): PendingInput => {
      const givenMs = one.timeoutSeconds
        ? one.timeoutSeconds * 1000
        : this.config.turns.approvalExpiryHours * HOUR_MS;
      const expiresAt = new Date(createdAt.getTime() + givenMs);
      return { ...inputOf(turn, one), forAttempt: one.request && attempt, createdAt, expiresAt };
    });
    await this.inputs.insertAll(tx, inputs);
    await this.echoes.keep(tx, turn.id, asked);
    await this.expireLater(tx, turn.id, inputs);
    return inputs;
  }

  /** Whether a process holds the call of this attempt open. */
  isHeld(tx: Transaction, turnId: string, attempt: number): Promise<boolean> {
    return this.inputs.areLive(tx, turnId, attempt);
  }

  /** Enqueues the job for the first expiry. */
  expireLater(
    tx: Transaction,
    turnId: string,
    inputs: readonly Pick<PendingInput, 'expiresAt'>[],
  ): Promise<void> {
    const atMs = Math.min(...inputs.map(({ expiresAt }) => expiresAt.getTime()));
    const startAfterSeconds = Math.max(1, Math.ceil((atMs - Date.now()) / 1000));
    return this.jobs.enqueue(tx, expireInputs, { companyId: tx.companyId, turnId }, { startAfterSeconds });
  }
}

function inputOf(turn: Turn, { timeoutSeconds: _, asked, ...one }: InputAsked) {
  return {
    ...one,
    ...wellFormedValue(withoutEcho(asked)),
    companyId: turn.companyId,
    id: newId(),
    turnId: turn.id,
    memberId: turn.memberId,
    arguments: wellFormedValue(one.arguments),
    reason: one.reason && wellFormedValue(one.reason),
    request: wellFormedValue(one.request),
    status: 'PENDING' as const,
    answer: null,
    resolvedAt: null,
    resolvedBy: null,
    comment: null,
  };
}

function withoutEcho({ echo: _echo, ...asked }: AskedFor): Omit<AskedFor, 'echo'> {
  return asked;
}
