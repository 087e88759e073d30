import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../../../common/ids.js';
import type { Page, PageRequest } from '../../../common/schema/page.js';
import { cutToPage, newestFirst, readPage } from '../../../platform/database/keyset.js';
import { awaitAll, type Transaction } from '../../../platform/database/transaction.js';
import { type FinishReason, isTerminal, type TurnStatus } from '../turn-event.js';
import { Turn } from '../turn.entity.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';

export const turnOrder = newestFirst('turns');

/** Filters of listed turns. A missing one is ignored. */
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

/** The assistant is that of the turn, else that of its conversation. */
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
  // Filters by id too, because ids are in order of time.
  from: 'turn.created_at >= :from AND turn.id >= :firstId',
  to: 'turn.created_at < :to AND turn.id < :lastId',
  minCostUsd: 'turn.cost_usd >= :minCostUsd',
  minSeconds: 'turn.seconds >= :minSeconds',
};

/** Conditions of partial indexes that contain all listed turns. A query must repeat them to use the index. */
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
  /** A page, newest first. An index for each filter finds few turns among many. */
  async list(
    tx: Transaction,
    { assistantId, ...listed }: ListedTurns,
    request: PageRequest,
  ): Promise<Page<Turn>> {
    if (assistantId === undefined) return this.page(tx, listed, request);
    // One combined condition would use neither index.
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

/** Newest first. If one page has more, rows older than its last one are left out. */
function merged(one: Page<Turn>, other: Page<Turn>, request: PageRequest): Page<Turn> {
  const ends = [one, other].flatMap(({ hasMore, rows }) => (hasMore ? (rows.at(-1)?.id ?? []) : []));
  const rows = [...one.rows, ...other.rows]
    .filter(({ id }) => ends.every((end) => id >= end))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const page = cutToPage(rows, turnOrder, request);
  return { ...page, hasMore: page.hasMore || one.hasMore || other.hasMore };
}
