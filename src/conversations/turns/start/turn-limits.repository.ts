import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../platform/database/transaction.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';

const UNFINISHED = `status NOT IN (${TERMINAL_STATUSES})`;

@Injectable()
export class TurnLimitsRepository {
  /** Whether the member and the company have reached their limits of unfinished turns, not counting `others`. */
  async findFull(
    tx: Transaction,
    memberId: string,
    others: readonly string[],
    limits: { member: number; company: number },
  ): Promise<{ member: boolean; company: boolean }> {
    // Each reads the index of unfinished turns up to the one that fills the limit. The order makes the planner scan the
    // index itself, which removes entries of ended turns from it; a bitmap scan would leave them.
    const full = await tx.one<{ member: boolean; company: boolean }>(
      `SELECT EXISTS (SELECT FROM turn WHERE company_id = $1 AND member_id = $2 AND ${UNFINISHED}
           AND id <> ALL ($5::uuid[]) OFFSET $3) AS member,
         EXISTS (SELECT FROM turn WHERE company_id = $1 AND ${UNFINISHED}
           AND id <> ALL ($5::uuid[]) ORDER BY member_id OFFSET $4) AS company`,
      [tx.companyId, memberId, limits.member - 1, limits.company - 1, others],
    );
    if (!full) throw new Error('A SELECT without FROM gave no row.');
    return full;
  }
}
