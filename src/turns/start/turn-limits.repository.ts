import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { TERMINAL } from '../turn.repository.js';

const UNFINISHED = `status NOT IN (${TERMINAL})`;

@Injectable()
export class TurnLimitsRepository {
  /** Whether the member and the company have at least so many turns that wait or are under way, besides `others`. */
  async findFull(
    tx: Transaction,
    memberId: string,
    others: readonly string[],
    limits: { member: number; company: number },
  ): Promise<{ member: boolean; company: boolean }> {
    // Each looks in the index of unfinished turns for the one that fills the limit, and no further. Ordered like that
    // index so that it is walked, which clears it of turns that have ended; a bitmap would leave them in the way.
    const [full] = await tx.query<{ member: boolean; company: boolean }>(
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
