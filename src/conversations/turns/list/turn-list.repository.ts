import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../../common/ids.js';
import type { Page, PageRequest } from '../../../common/schema/page.js';
import { newestFirst, readPage } from '../../../platform/database/keyset.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { type FinishReason, isTerminal, type TurnStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';

export const turnOrder = newestFirst('turns');

/** What listed turns have in common. What is left out is not looked at. */
export interface ListedTurns {
  assistantId?: string;
  memberId?: string;
  status?: readonly TurnStatus[];
  finishReason?: readonly FinishReason[];
  from?: Date;
  to?: Date;
  minCostUsd?: number;
  minSeconds?: number;
}

/** A turn's id may be from a clock that is this much ahead. */
const CLOCKS_APART_MS = 3_600_000;

const EARLY = `turn.finish_reason <> 'ANSWERED'`;
const UNFINISHED = `turn.status NOT IN (${TERMINAL_STATUSES})`;

const CONDITIONS: Record<keyof ListedTurns, string> = {
  assistantId: `EXISTS (SELECT FROM conversation WHERE conversation.company_id = turn.company_id
    AND conversation.id = turn.conversation_id
    AND coalesce(turn.assistant_id, conversation.assistant_id) = :assistantId)`,
  memberId: 'turn.member_id = :memberId',
  status: 'turn.status = ANY (:status)',
  finishReason: 'turn.finish_reason = ANY (:finishReason)',
  // By id too, which is in the order of the times.
  from: 'turn.created_at >= :from AND turn.id >= :firstId',
  to: 'turn.created_at < :to AND turn.id < :lastId',
  minCostUsd: 'turn.cost_usd >= :minCostUsd',
  minSeconds: 'turn.seconds >= :minSeconds',
};

/** The conditions of partial indexes that have all listed turns: they are taken only if the query says so. */
function indexesOf({ status, finishReason }: ListedTurns): string[] {
  const indexes = finishReason?.includes('ANSWERED') === false ? [EARLY] : [];
  if (!status || status.length === 0 || status.includes('COMPLETED')) return indexes;
  const ofStatus = [
    ...(status.some(isTerminal) ? [EARLY] : []),
    ...(status.every(isTerminal) ? [] : [UNFINISHED]),
  ];
  return [...indexes, `(${ofStatus.join(' OR ')})`];
}

@Injectable()
export class TurnListRepository {
  /** A page, newest first. Each filter but that by assistant has an index by which a few among many are found. */
  list(tx: Transaction, listed: ListedTurns, request: PageRequest): Promise<Page<Turn>> {
    const { from, to } = listed;
    const names = Object.keys(listed) as (keyof ListedTurns)[];
    const query = tx.repository(Turn).createQueryBuilder('turn').where({ companyId: tx.companyId });
    for (const condition of [...names.map((name) => CONDITIONS[name]), ...indexesOf(listed)])
      query.andWhere(condition);
    query.setParameters({
      ...listed,
      firstId: from && firstIdAt(from),
      lastId: to && firstIdAt(new Date(to.getTime() + CLOCKS_APART_MS)),
    });
    return readPage(query, turnOrder, request);
  }

  find(tx: Transaction, id: string): Promise<Turn | null> {
    return tx.find(Turn, { id });
  }
}
