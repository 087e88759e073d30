import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import type { Transaction } from '../database/transaction.js';
import { SkillCall } from './skill-call.entity.js';
import type { TurnEvent } from './turn-event.js';

@Injectable()
export class SkillCallRepository {
  /** Keeps the rows in step with the events that tell of them, in the events' own transaction. */
  async apply(tx: Transaction, event: TurnEvent): Promise<void> {
    if (event.type === 'skill-started') {
      await tx.query(
        `INSERT INTO skill_call (company_id, id, turn_id, skill, arguments, status, started_at)
         VALUES ($1, $2, $3, $4, $5, 'RUNNING', $6)`,
        [tx.companyId, event.callId, event.turnId, event.skill, event.arguments, event.at],
      );
    } else if (event.type === 'skill-finished') {
      await tx.query(
        `UPDATE skill_call SET status = $4, result_preview = $5, finished_at = $6
         WHERE company_id = $1 AND turn_id = $2 AND id = $3`,
        [tx.companyId, event.turnId, event.callId, event.callStatus, event.resultPreview, event.at],
      );
    }
  }

  /** What was asked for and never reported back belongs to an attempt that broke off: nobody knows what it did. */
  async closeOpen(tx: Transaction, turnId: string, at: Date): Promise<void> {
    await tx
      .repository(SkillCall)
      .update({ companyId: tx.companyId, turnId, status: 'RUNNING' }, { status: 'UNKNOWN', finishedAt: at });
  }

  list(tx: Transaction, turnIds: readonly string[]): Promise<SkillCall[]> {
    return tx
      .repository(SkillCall)
      .find({ where: { companyId: tx.companyId, turnId: In([...turnIds]) }, order: { id: 'ASC' } });
  }
}
