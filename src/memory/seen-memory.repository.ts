import { Injectable } from '@nestjs/common';

import { LAST_ID } from '../common/ids.js';
import type { Page, PageRequest } from '../common/schema/page.js';
import { isShownOrGone } from '../conversations/message-path.repository.js';
import { cutToPage, newestFirst } from '../platform/database/keyset.js';
import type { Transaction } from '../platform/database/transaction.js';
import { subjectKeyOf } from './memory-input.js';
import { Memory, type MemoryKind, memoryKinds, type MemoryRange } from './memory.entity.js';

export const memoryOrder = newestFirst('memories');

/** Filters of the memories that a member may see. */
interface MemoryFilter {
  kinds: readonly MemoryKind[];
  /** In force, superseded, or (null) both. */
  active: boolean | null;
}

function isActive(active: boolean | null): string {
  return active === null ? '' : `AND superseded_by IS ${active ? '' : 'NOT '}NULL`;
}

/** By id alone, the planner would scan all memories of the company. Those in force have their own index. */
function pageOf(active: boolean | null, order = 'found.id DESC'): string {
  const of = (owner: string): string =>
    `(SELECT id, owner_id FROM memory WHERE company_id = $1 AND owner_id ${owner} AND kind = listed.kind AND id < $4
        ${isActive(active)} ORDER BY owner_id DESC, kind DESC, id DESC LIMIT $5)`;
  return `SELECT found.id FROM unnest($3::text[]) AS listed(kind)
    CROSS JOIN LATERAL (${of('= $2')} UNION ALL ${of('IS NULL')}) AS found ORDER BY ${order} LIMIT $5`;
}

/** SQL condition: the model may see the memory. One learnt in a hidden branch is excluded meanwhile. */
export const isTold = isShownOrGone('memory.source_message_id');

/** SQL condition: those of the ids `$2` that the member `$3` may see. */
const seenOf = 'company_id = $1 AND id = ANY ($2) AND (owner_id = $3 OR owner_id IS NULL)';

/** Reads the memories that one member may see: their own and the shared ones. Each method is one statement. */
@Injectable()
export class SeenMemoryRepository {
  /** By id, superseded versions included. */
  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    return tx.select(Memory, seenOf, [tx.companyId, ids, memberId]);
  }

  /** Like findMany, but only memories that a model may see. */
  findTold(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    return tx.select(Memory, `${seenOf} AND ${isTold}`, [tx.companyId, ids, memberId]);
  }

  /** Like findTold, but only those in the range. */
  findInRange(
    tx: Transaction,
    memberId: string,
    ids: readonly string[],
    { kinds, from, before }: MemoryRange,
  ): Promise<Memory[]> {
    return tx.select(
      Memory,
      `${seenOf} AND kind = ANY ($4) AND valid_from >= $5 AND valid_from < $6 AND ${isTold}`,
      [tx.companyId, ids, memberId, kinds, from, before],
    );
  }

  /** Null: the lineage was forgotten. */
  findInForce(tx: Transaction, memberId: string, lineageId: string): Promise<Memory | null> {
    return tx.selectOne(
      Memory,
      `company_id = $1 AND lineage_id = $2 AND superseded_by IS NULL AND (owner_id = $3 OR owner_id IS NULL)`,
      [tx.companyId, lineageId, memberId],
    );
  }

  /** The member's own and the shared ones, the newest first. */
  async list(
    tx: Transaction,
    memberId: string,
    { kinds, active }: MemoryFilter,
    request: PageRequest,
  ): Promise<Page<Memory>> {
    const found = await tx.select(Memory, `company_id = $1 AND id IN (${pageOf(active)}) ORDER BY id DESC`, [
      tx.companyId,
      memberId,
      kinds,
      request.after?.[0] ?? LAST_ID,
      request.limit + 1,
    ]);
    return cutToPage(found, memoryOrder, request);
  }

  /** Current memories that a model may see: the member's own, then the shared ones, each newest first. */
  listInForce(
    tx: Transaction,
    memberId: string,
    kinds: readonly MemoryKind[],
    limit: number,
  ): Promise<Memory[]> {
    return tx.select(
      Memory,
      `company_id = $1 AND id IN (${pageOf(true, 'found.owner_id IS NULL, found.id DESC')}) AND ${isTold}
       ORDER BY owner_id IS NULL, id DESC`,
      [tx.companyId, memberId, kinds, LAST_ID, limit],
    );
  }

  /** Like listInForce, in the range: at most `limit` of the member's own and as many shared ones. */
  listInRange(
    tx: Transaction,
    memberId: string,
    { kinds, from, before }: MemoryRange,
    limit: number,
  ): Promise<Memory[]> {
    // Ordered as in `pageOf`, for the same index.
    const of = (owner: string): string =>
      `(SELECT found.id FROM unnest($3::text[]) AS listed(kind) CROSS JOIN LATERAL (
         SELECT id FROM memory WHERE company_id = $1 AND owner_id ${owner} AND kind = listed.kind
           AND superseded_by IS NULL AND valid_from >= $4 AND valid_from < $5
         ORDER BY owner_id DESC, kind DESC, id DESC LIMIT $6) AS found
       ORDER BY found.id DESC LIMIT $6)`;
    return tx.select(
      Memory,
      `company_id = $1 AND id IN (${of('= $2')} UNION ALL ${of('IS NULL')}) AND ${isTold}
       ORDER BY owner_id IS NULL, id DESC`,
      [tx.companyId, memberId, kinds, from, before, limit],
    );
  }

  /** In force with this subject, in any spelling, the member's own first: at most one of each kind and owner. */
  listOfSubject(
    tx: Transaction,
    memberId: string,
    subject: string,
    kinds: readonly MemoryKind[],
  ): Promise<Memory[]> {
    // Two halves, because each has its own index, which an OR would not use.
    const of = (owner: string): string =>
      `SELECT id FROM memory WHERE company_id = $1 AND kind = ANY ($2) AND subject_key = $3
         AND superseded_by IS NULL AND owner_id ${owner}`;
    return tx.select(
      Memory,
      `company_id = $1 AND id IN (${of('= $4')} UNION ALL ${of('IS NULL')}) ORDER BY owner_id NULLS LAST, id DESC`,
      [tx.companyId, kinds, subjectKeyOf(subject), memberId],
    );
  }

  /** Whether a version of the member's memories has this message as its source. */
  async hasLearnedFrom(tx: Transaction, memberId: string, messageId: string): Promise<boolean> {
    // A memory has a larger id than its source message, so only the end of the index is searched.
    return tx.any(
      `SELECT 1 FROM memory
       WHERE company_id = $1 AND owner_id = $2 AND kind = ANY ($3) AND id > $4 AND source_message_id = $4 LIMIT 1`,
      [tx.companyId, memberId, memoryKinds, messageId],
    );
  }

  /** Whether a memory of the member or company was forgotten at or after `since`. */
  async hasForgotten(tx: Transaction, memberId: string, since: Date): Promise<boolean> {
    return tx.any(
      `SELECT FROM memory_owner WHERE company_id = $1 AND holder_id IN ($1, $2) AND forgotten_at >= $3`,
      [tx.companyId, memberId, since],
    );
  }
}
