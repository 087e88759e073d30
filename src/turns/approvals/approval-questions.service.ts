import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import { Config } from '../../config/config.js';
import type { Transaction } from '../../database/transaction.js';
import { StepEchoRepository } from '../echoes/step-echo.repository.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { wellFormedValue } from '../log/writing/well-formed.js';
import type { ApprovalAsked, ApprovalRequest, AskedFor } from '../turn-event.js';
import { TurnHooks } from '../turn-hooks.js';
import type { Turn } from '../turn.entity.js';
import { expireApprovals } from './approval-expiry.job.js';
import type { Approval } from './approval.entity.js';
import { ApprovalRepository } from './approval.repository.js';

const HOUR_MS = 3_600_000;

/** Puts questions to people. */
@Injectable()
export class ApprovalQuestions {
  constructor(
    private readonly config: Config,
    private readonly approvals: ApprovalRepository,
    private readonly hooks: TurnHooks,
    private readonly jobs: JobQueue,
    private readonly echoes: StepEchoRepository,
  ) {}

  /** Puts the questions of a turn that stops for them in `tx`. They count as denied once their time is over. */
  async ask(tx: Transaction, turn: Turn, asked: readonly ApprovalAsked[]): Promise<Approval[]> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + this.config.turns.approvalExpiryHours * HOUR_MS);
    const approvals = asked.map((one) => approvalOf(turn, one, createdAt, expiresAt));
    await this.approvals.insert(tx, approvals);
    await this.echoes.keep(tx, turn.id, asked);
    await this.expireLater(tx, turn.id, expiresAt);
    return approvals;
  }

  /** Has those know whom `tx` puts the questions to. */
  tell(tx: Transaction, turn: Turn, approvals: readonly Approval[]): Promise<void> {
    return this.hooks.approvalRequested(tx, turn, approvals);
  }

  /** Has those know whom the questions were put to that none is open any more. */
  tellClosed(tx: Transaction, turn: Turn): Promise<void> {
    return this.hooks.approvalsClosed(tx, turn);
  }

  /** Has the questions of a turn looked at once the time of the first of them is over. */
  expireLater(tx: Transaction, turnId: string, at: Date): Promise<void> {
    const startAfterSeconds = Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1000));
    return this.jobs.enqueue(tx, expireApprovals, { companyId: tx.companyId, turnId }, { startAfterSeconds });
  }
}

const approvalOf = (turn: Turn, one: ApprovalAsked, createdAt: Date, expiresAt: Date): Approval => ({
  companyId: turn.companyId,
  id: newId(),
  turnId: turn.id,
  memberId: turn.memberId,
  callId: one.callId,
  skill: one.skill,
  arguments: wellFormedValue(one.arguments),
  ...wellFormedValue(withoutEcho(one.asked)),
  askerMayApprove: one.askerMayApprove,
  reason: one.reason && wellFormedValue(one.reason),
  status: 'PENDING',
  createdAt,
  expiresAt,
  resolvedAt: null,
  resolvedBy: null,
  comment: null,
});

const withoutEcho = ({ echo: _echo, ...asked }: AskedFor): Omit<AskedFor, 'echo'> => asked;

/** The question as events tell it. */
export const requestOf = (approval: Approval): ApprovalRequest => ({
  id: approval.id,
  turnId: approval.turnId,
  skill: approval.skill,
  arguments: approval.arguments,
  reason: approval.reason,
  status: approval.status,
  expiresAt: approval.expiresAt.toISOString(),
});
