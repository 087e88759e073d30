import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../../common/json.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { PendingStatus } from '../turn-event.js';
import { Approval } from './approval.entity.js';

/** How a question was answered. */
export interface Resolution {
  status: Exclude<PendingStatus, 'PENDING'>;
  arguments: JsonObject;
  resolvedAt: Date;
  resolvedBy: string | null;
  comment: string | null;
}

@Injectable()
export class ApprovalRepository {
  async insert(tx: Transaction, approvals: readonly Approval[]): Promise<void> {
    for (const approval of approvals) {
      await tx.query(
        `INSERT INTO approval (company_id, id, turn_id, member_id, call_id, skill, arguments, step, preamble,
           model_call_id, model_arguments, asker_may_approve, reason, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          tx.companyId,
          approval.id,
          approval.turnId,
          approval.memberId,
          approval.callId,
          approval.skill,
          approval.arguments,
          approval.step,
          approval.preamble,
          approval.modelCallId,
          approval.modelArguments,
          approval.askerMayApprove,
          approval.reason,
          approval.createdAt,
          approval.expiresAt,
        ],
      );
    }
  }

  find(tx: Transaction, id: string): Promise<Approval | null> {
    return tx.selectOne(Approval, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** The approvals of these turns, oldest first. */
  listOf(tx: Transaction, turnIds: readonly string[]): Promise<Approval[]> {
    return tx.select(Approval, 'company_id = $1 AND turn_id = ANY ($2) ORDER BY id', [tx.companyId, turnIds]);
  }

  /** Pending approvals, oldest first, of the whole company or (with `memberId`) of one asker. */
  listPending(tx: Transaction, memberId: string | null, limit: number): Promise<Approval[]> {
    return tx.select(
      Approval,
      `company_id = $1 AND status = 'PENDING' AND ($2::uuid IS NULL OR member_id = $2) ORDER BY id LIMIT $3`,
      [tx.companyId, memberId, limit],
    );
  }

  /** Turns with a pending question that has expired. */
  async listOverdueTurns(tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ turnId: string }>(
      `SELECT DISTINCT turn_id AS "turnId" FROM approval
       WHERE company_id = $1 AND status = 'PENDING' AND expires_at < now()`,
      [tx.companyId],
    );
    return rows.map(({ turnId }) => turnId);
  }

  async resolve(tx: Transaction, id: string, resolution: Resolution): Promise<void> {
    await tx.query(
      `UPDATE approval SET status = $3, arguments = $4, resolved_at = $5, resolved_by = $6, comment = $7
       WHERE company_id = $1 AND id = $2`,
      [
        tx.companyId,
        id,
        resolution.status,
        resolution.arguments,
        resolution.resolvedAt,
        resolution.resolvedBy,
        resolution.comment,
      ],
    );
  }

  /** Closes the open questions of a turn that has ended. */
  async closeOf(tx: Transaction, turnId: string, at: Date): Promise<void> {
    await tx.query(
      `UPDATE approval SET status = 'EXPIRED', resolved_at = $3
       WHERE company_id = $1 AND turn_id = $2 AND status = 'PENDING'`,
      [tx.companyId, turnId, at],
    );
  }
}
