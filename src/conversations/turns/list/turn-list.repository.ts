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

/** The partial indexes that have all turns in these ways, which are taken only if the query says so. Null: there is none. */
function indexesOf(status: readonly TurnStatus[]): string | null {
  if (status.includes('COMPLETED')) return null;
  const conditions = [
    ...(status.some(isTerminal) ? [EARLY] : []),
    ...(status.every(isTerminal) ? [] : [UNFINISHED]),
  ];
  return conditions.length === 0 ? null : `(${conditions.join(' OR ')})`;
}

@Injectable()
export class TurnListRepository {
  /** A page, newest first. Each filter has an index by which a few turns among many are found. */
  list(tx: Transaction, listed: ListedTurns, request: PageRequest): Promise<Page<Turn>> {
    const query = tx.repository(Turn).createQueryBuilder('turn').where({ companyId: tx.companyId });
    for (const [condition, values] of conditionsOf(listed)) query.andWhere(condition, values);
    return readPage(query, turnOrder, request);
  }

  find(tx: Transaction, id: string): Promise<Turn | null> {
    return tx.selectOne(Turn, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }
}

function conditionsOf(listed: ListedTurns): [condition: string, values?: object][] {
  const { assistantId, memberId, status, finishReason, from, to, minCostUsd, minSeconds } = listed;
  const indexes = status ? indexesOf(status) : null;
  const conditions: [condition: string, values: object, isWanted: boolean][] = [
    [
      `EXISTS (SELECT FROM conversation WHERE conversation.company_id = turn.company_id
         AND conversation.id = turn.conversation_id AND conversation.assistant_id = :assistantId)`,
      { assistantId },
      assistantId !== undefined,
    ],
    ['turn.member_id = :memberId', { memberId }, memberId !== undefined],
    ['turn.status = ANY (:status)', { status }, status !== undefined],
    ['turn.finish_reason = ANY (:finishReason)', { finishReason }, finishReason !== undefined],
    [indexes ?? '', {}, indexes !== null],
    [EARLY, {}, finishReason?.includes('ANSWERED') === false],
    // By id too, which is in the order of the times.
    ['turn.created_at >= :from', { from }, from !== undefined],
    ['turn.id >= :firstId', { firstId: from && firstIdAt(from) }, from !== undefined],
    ['turn.created_at < :to', { to }, to !== undefined],
    [
      'turn.id < :lastId',
      { lastId: to && firstIdAt(new Date(to.getTime() + CLOCKS_APART_MS)) },
      to !== undefined,
    ],
    ['turn.cost_usd >= :minCostUsd', { minCostUsd }, minCostUsd !== undefined],
    ['turn.seconds >= :minSeconds', { minSeconds }, minSeconds !== undefined],
  ];
  return conditions.filter(([, , isWanted]) => isWanted).map(([condition, values]) => [condition, values]);
}
