import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../database/transaction.js';
import { Turn } from '../../turn.entity.js';
import { TERMINAL } from '../../turn.repository.js';

/** Turns, as far as the age of their events matters. */
@Injectable()
export class EventRetentionRepository {
  /** Of all companies, the turns that have not ended and whose id is less than `id`. */
  async listUnfinishedBefore(tx: Transaction, id: string): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM turn WHERE id < $1 AND status NOT IN (${TERMINAL})`,
      [id],
    );
    return rows.map(({ id }) => id);
  }

  /** Null: it is gone. */
  findTurn(tx: Transaction, id: string): Promise<Turn | null> {
    return tx.repository(Turn).findOneBy({ companyId: tx.companyId, id });
  }
}
