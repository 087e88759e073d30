import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { Config } from '../../../common/config/config.js';
import { newId } from '../../../common/ids.js';
import { NotificationsService } from '../../../companies/notifications/notifications.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { JobQueue, type Job } from '../../../platform/jobs/job-queue.js';
import { wellFormedValue } from '../log/well-formed.js';
import { StepEchoRepository } from '../model-calls/step-echo.repository.js';
import type { ApprovalAsked, ApprovalRequest, AskedFor } from '../turn-event.js';
import { TurnNotifications } from '../turn-notifications.service.js';
import type { Turn } from '../turn.entity.js';
import type { Approval } from './approval.entity.js';
import { ApprovalRepository } from './approval.repository.js';

const TurnOfCompany = z.object({ companyId: z.uuid(), turnId: z.uuid() });

/** Denies the questions of a turn that were not answered in time. */
export const expireApprovals: Job<z.output<typeof TurnOfCompany>> = {
  name: 'expire-approvals',
  data: TurnOfCompany,
  keyOf: ({ turnId }) => turnId,
};

const HOUR_MS = 3_600_000;

/** Asks people to approve skill calls, and has their questions expire. */
@Injectable()
export class ApprovalQuestions {
  constructor(
    private readonly config: Config,
    private readonly approvals: ApprovalRepository,
    private readonly notifications: TurnNotifications,
    private readonly inbox: NotificationsService,
    private readonly jobs: JobQueue,
    private readonly echoes: StepEchoRepository,
  ) {}

  /** Stores the questions of a turn that waits for answers. Unanswered ones count as denied when they expire. */
  async ask(tx: Transaction, turn: Turn, asked: readonly ApprovalAsked[]): Promise<Approval[]> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + this.config.turns.approvalExpiryHours * HOUR_MS);
    const approvals = asked.map((one) => approvalOf(turn, one, createdAt, expiresAt));
    await this.approvals.insert(tx, approvals);
    await this.echoes.keep(tx, turn.id, asked);
    await this.expireLater(tx, turn.id, expiresAt);
    return approvals;
  }

  /** Notifies everyone who may answer the questions. */
  notifyApprovers(tx: Transaction, turn: Turn, approvals: readonly Approval[]): Promise<void> {
    return this.notifications.notifyApprovers(tx, turn, approvals);
  }

  /** Marks the notifications of the turn's questions as settled: none of them is open any more. */
  settleNotifications(tx: Transaction, turn: Turn): Promise<void> {
    return this.inbox.closeApprovalRequests(tx, turn.id);
  }

  /** Enqueues the job that expires the turn's questions, to run at `at`. */
  expireLater(tx: Transaction, turnId: string, at: Date): Promise<void> {
    const startAfterSeconds = Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1000));
    return this.jobs.enqueue(tx, expireApprovals, { companyId: tx.companyId, turnId }, { startAfterSeconds });
  }
}

function approvalOf(turn: Turn, one: ApprovalAsked, createdAt: Date, expiresAt: Date): Approval {
  return {
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
  };
}

function withoutEcho({ echo: _echo, ...asked }: AskedFor): Omit<AskedFor, 'echo'> {
  return asked;
}

/** The question as it appears in events. */
export function requestOf(approval: Approval): ApprovalRequest {
  return {
    id: approval.id,
    turnId: approval.turnId,
    skill: approval.skill,
    arguments: approval.arguments,
    reason: approval.reason,
    status: approval.status,
    expiresAt: approval.expiresAt.toISOString(),
  };
}
