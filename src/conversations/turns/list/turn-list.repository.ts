import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../../common/ids.js';
import type { Page, PageRequest } from '../../../common/schema/page.js';
import { cutToPage, newestFirst, readPage } from '../../../platform/database/keyset.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
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

/** The assistant that answers is named by the turn, or it is its conversation's. */
interface Conditions extends Omit<ListedTurns, 'assistantId'> {
  ownAssistantId?: string;
  conversationAssistantId?: string;
}

const CONDITIONS: Record<keyof Conditions, string> = {
  ownAssistantId: 'turn.assistant_id = :ownAssistantId',
  conversationAssistantId: `turn.assistant_id IS NULL AND EXISTS (SELECT FROM conversation
    WHERE conversation.company_id = turn.company_id AND conversation.id = turn.conversation_id
      AND conversation.assistant_id = :conversationAssistantId)`,
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
function indexesOf({ status, finishReason }: Conditions): string[] {
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
  /** A page, newest first. Each filter has an index by which a few among many are found. */
  async list(
    tx: Transaction,
    { assistantId, ...listed }: ListedTurns,
    request: PageRequest,
  ): Promise<Page<Turn>> {
    if (assistantId === undefined) return this.page(tx, listed, request);
    // In one condition, neither would be found by its index.
    const [own, others] = await awaitAll([
      this.page(tx, { ...listed, ownAssistantId: assistantId }, request),
      this.page(tx, { ...listed, conversationAssistantId: assistantId }, request),
    ]);
    return merged(own, others, request);
  }

  find(tx: Transaction, id: string): Promise<Turn | null> {
    return tx.find(Turn, { id });
  }

  private page(tx: Transaction, listed: Conditions, request: PageRequest): Promise<Page<Turn>> {
    const { from, to } = listed;
    const names = Object.keys(listed) as (keyof Conditions)[];
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
}

/** Newest first. Where there is more of one page, what is older than its last row does not come yet. */
function merged(one: Page<Turn>, other: Page<Turn>, request: PageRequest): Page<Turn> {
  const ends = [one, other].flatMap(({ hasMore, rows }) => (hasMore ? (rows.at(-1)?.id ?? []) : []));
  const rows = [...one.rows, ...other.rows]
    .filter(({ id }) => ends.every((end) => id >= end))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const page = cutToPage(rows, turnOrder, request);
  return { ...page, hasMore: page.hasMore || one.hasMore || other.hasMore };
}
