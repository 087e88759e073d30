import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../../../common/schema/page.js';
import { type Keyset, readPage } from '../../../platform/database/keyset.js';
import { rowsOf } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import type { PendingStatus } from '../turn-event.js';
import { PendingInput } from './pending-input.entity.js';

export type Resolution = Pick<PendingInput, 'arguments' | 'answer' | 'resolvedBy' | 'comment'> & {
  status: Exclude<PendingStatus, 'PENDING'>;
  resolvedAt: Date;
};

/** Oldest first. */
export const pendingInputOrder: Keyset<{ id: string }> = {
  list: 'pendingInputs',
  keys: { id: 'uuid' },
  direction: 'ASC',
  keyOf: ({ id }) => [id],
};

export interface TurnQuestion {
  id: string;
  name: string;
  question: string;
}

export interface Rights {
  memberId: string;
  /** Admins may decide on all approvals. */
  isAdmin: boolean;
}

@Injectable()
export class PendingInputRepository extends rowsOf(PendingInput) {
  async insertAll(tx: Transaction, inputs: readonly PendingInput[]): Promise<void> {
    await tx.insertAll(PendingInput, inputs);
  }

  /** The inputs of these turns, oldest first. */
  listOf(tx: Transaction, turnIds: readonly string[]): Promise<PendingInput[]> {
    return tx.list(PendingInput, { turnId: turnIds }, 'ORDER BY id');
  }

  /** Pending approvals, oldest first, of the whole company or (with `memberId`) of one asker. */
  listApprovals(tx: Transaction, memberId: string | null, limit: number): Promise<PendingInput[]> {
    return tx.select(
      PendingInput,
      `company_id = $1 AND status = 'PENDING' AND kind = 'APPROVAL' AND ($2::uuid IS NULL OR member_id = $2)
       ORDER BY id LIMIT $3`,
      [tx.companyId, memberId, limit],
    );
  }

  /** Whether the member may see inputs of the turn: their own, or with `isAdmin` the approvals of any turn. */
  async maySeeTurn(
    tx: Transaction,
    { turnId, memberId, isAdmin }: Rights & { turnId: string },
  ): Promise<boolean> {
    return tx.any('SELECT id FROM turn WHERE company_id = $1 AND id = $2 AND (member_id = $3 OR $4)', [
      tx.companyId,
      turnId,
      memberId,
      isAdmin,
    ]);
  }

  /** Inputs that the member may answer. With `isAdmin` also all approvals. */
  listAnswerable(
    tx: Transaction,
    { memberId, isAdmin, turnId }: Rights & { turnId: string | null },
    request: PageRequest,
  ): Promise<Page<PendingInput>> {
    const query = tx
      .repository(PendingInput)
      .createQueryBuilder('input')
      .where({ companyId: tx.companyId, status: 'PENDING', ...(turnId !== null && { turnId }) })
      .andWhere(
        `(input.memberId = :memberId AND (input.kind <> 'APPROVAL' OR input.askerMayApprove)
          OR input.kind = 'APPROVAL' AND :isAdmin)`,
        { memberId, isAdmin },
      );
    return readPage(query, pendingInputOrder, request);
  }

  /** The members and questions behind these inputs, for those who may decide. */
  listQuestions(
    tx: Transaction,
    ids: readonly string[],
    { memberId, isAdmin, limit }: Rights & { limit: number },
  ): Promise<TurnQuestion[]> {
    return tx.query(
      `SELECT input.id, member.name, left(message.text, $5) AS question FROM pending_input AS input
       JOIN turn ON turn.company_id = $1 AND turn.id = input.turn_id
       JOIN member ON member.company_id = $1 AND member.id = turn.member_id
       JOIN message ON message.company_id = $1 AND message.id = turn.question_id
       WHERE input.company_id = $1 AND input.id = ANY ($2)
         AND (input.member_id = $3 AND (input.kind <> 'APPROVAL' OR input.asker_may_approve)
           OR input.kind = 'APPROVAL' AND $4)`,
      [tx.companyId, ids, memberId, isAdmin, limit],
    );
  }

  /** Whether a server waits on an open connection for this attempt's answer. */
  async areLive(tx: Transaction, turnId: string, attempt: number): Promise<boolean> {
    return tx.any(
      `SELECT id FROM pending_input WHERE company_id = $1 AND turn_id = $2 AND for_attempt = $3
         AND request -> 'isLive' = 'true' LIMIT 1`,
      [tx.companyId, turnId, attempt],
    );
  }

  /** Turns that wait for an expired input. */
  async listOverdueTurns(tx: Transaction): Promise<string[]> {
    return tx.ids(
      `SELECT DISTINCT turn_id AS id FROM pending_input
       WHERE company_id = $1 AND status = 'PENDING' AND expires_at < now()`,
      [tx.companyId],
    );
  }

  /** Closes open inputs of an ended turn. Approvals become EXPIRED, as clients expect. */
  closeOf(tx: Transaction, turnId: string, at: Date): Promise<Pick<PendingInput, 'id' | 'status'>[]> {
    return tx.query(
      `WITH closed AS (
         UPDATE pending_input SET status = CASE kind WHEN 'APPROVAL' THEN 'EXPIRED' ELSE 'CANCELLED' END, resolved_at = $3
         WHERE company_id = $1 AND turn_id = $2 AND status = 'PENDING' RETURNING id, status)
       SELECT id, status FROM closed ORDER BY id`,
      [tx.companyId, turnId, at],
    );
  }
}
