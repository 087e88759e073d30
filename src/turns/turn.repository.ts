import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';

import { Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import type { FinishReason, TerminalStatus, TurnError, Usage } from './turn-event.js';
import { terminalStatuses } from './turn-event.js';
import { Turn } from './turn.entity.js';

const TERMINAL = terminalStatuses.map((status) => `'${status}'`).join(', ');

export type NewTurn = Pick<
  Turn,
  | 'id'
  | 'conversationId'
  | 'memberId'
  | 'role'
  | 'questionId'
  | 'answerId'
  | 'idempotencyKey'
  | 'payloadHash'
  | 'createdAt'
>;

/** What the owner of a turn shows with every write. Once another attempt has begun, its writes are refused. */
export interface Claim {
  companyId: string;
  turnId: string;
  attempt: number;
}

export interface TurnEnd {
  status: TerminalStatus;
  finishReason: FinishReason;
  usage: Usage;
  error: TurnError | null;
  finishedAt: Date;
}

@Injectable()
export class TurnRepository {
  constructor(private readonly config: Config) {}

  async insert(tx: Transaction, turn: NewTurn): Promise<void> {
    await tx.repository(Turn).insert({ companyId: tx.companyId, ...turn });
  }

  async get(tx: Transaction, id: string): Promise<Turn> {
    return tx.repository(Turn).findOneByOrFail({ companyId: tx.companyId, id });
  }

  /** The turn, held until the transaction ends, so that nobody claims or ends it meanwhile. */
  lock(tx: Transaction, id: string): Promise<Turn | null> {
    return tx
      .repository(Turn)
      .findOne({ where: { companyId: tx.companyId, id }, lock: { mode: 'pessimistic_write' } });
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Turn[]> {
    return tx.repository(Turn).findBy({ companyId: tx.companyId, memberId, id: In([...ids]) });
  }

  findByIdempotencyKey(tx: Transaction, memberId: string, idempotencyKey: string): Promise<Turn | null> {
    return tx.repository(Turn).findOneBy({ companyId: tx.companyId, memberId, idempotencyKey });
  }

  /** The turns under way or waiting in these conversations, in the order in which they are answered. */
  listUnfinished(tx: Transaction, conversationIds: readonly string[]): Promise<Turn[]> {
    return tx
      .repository(Turn)
      .createQueryBuilder('turn')
      .where({ companyId: tx.companyId, conversationId: In([...conversationIds]) })
      .andWhere(`turn.status NOT IN (${TERMINAL})`)
      .orderBy('turn.id', 'ASC')
      .getMany();
  }

  /**
   * Takes the turn for a new attempt: when it waits and nothing before it in its conversation does, or when its
   * owner has given no sign of life for the length of a lease. Null: not now.
   */
  async claim(tx: Transaction, id: string): Promise<Turn | null> {
    const claimed = await tx.query(
      `UPDATE turn SET status = 'RUNNING', attempt = attempt + 1, started_at = coalesce(started_at, now()),
         lease_until = now() + make_interval(secs => $3)
       WHERE company_id = $1 AND id = $2
         AND (status = 'QUEUED' AND NOT EXISTS (
                SELECT FROM turn earlier
                WHERE earlier.company_id = $1 AND earlier.conversation_id = turn.conversation_id
                  AND earlier.id < turn.id AND earlier.status NOT IN (${TERMINAL}))
              OR status = 'RUNNING' AND lease_until < now())
       RETURNING id`,
      [tx.companyId, id, this.config.turns.leaseSeconds],
    );
    return claimed.length === 0 ? null : this.get(tx, id);
  }

  /** In how many seconds the turn's owner can have lost it, or it can be worth another try; null when it has ended. */
  async secondsToNextLook(tx: Transaction, id: string): Promise<number | null> {
    const [row] = await tx.query<{ seconds: number }>(
      `SELECT CASE WHEN lease_until IS NULL THEN $3::int
                ELSE greatest(1, 1 + ceil(extract(epoch FROM lease_until - now())))::int END AS seconds
       FROM turn WHERE company_id = $1 AND id = $2 AND status NOT IN (${TERMINAL})`,
      [tx.companyId, id, this.config.turns.leaseSeconds],
    );
    return row?.seconds ?? null;
  }

  /** Keeps the turn for another lease. Null: it is no longer this attempt's. */
  async renew(tx: Transaction, claim: Claim): Promise<{ stopReason: FinishReason | null } | null> {
    const [row] = await tx.query<{ stop_reason: FinishReason | null }>(
      `UPDATE turn SET lease_until = now() + make_interval(secs => $4)
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status NOT IN (${TERMINAL})
       RETURNING stop_reason`,
      [tx.companyId, claim.turnId, claim.attempt, this.config.turns.leaseSeconds],
    );
    return row ? { stopReason: row.stop_reason } : null;
  }

  /** Notes that the turn is to end early; the first reason stays. */
  async requestStop(tx: Transaction, id: string, reason: FinishReason): Promise<void> {
    await tx.query(
      `UPDATE turn SET stop_reason = coalesce(stop_reason, $3)
       WHERE company_id = $1 AND id = $2 AND status NOT IN (${TERMINAL})`,
      [tx.companyId, id, reason],
    );
  }

  /** Ends the turn. The caller has written its last events under the same claim and in the same transaction. */
  async finish(tx: Transaction, claim: Claim, end: TurnEnd): Promise<void> {
    const { costUsd, ...counts } = end.usage;
    await tx.repository(Turn).update(
      { companyId: tx.companyId, id: claim.turnId, attempt: claim.attempt },
      {
        status: end.status,
        finishReason: end.finishReason,
        error: end.error,
        finishedAt: end.finishedAt,
        leaseUntil: null,
        ...counts,
        costUsd,
      },
    );
  }
}
