import { Injectable } from '@nestjs/common';

import { LAST_ID, NIL_ID } from '../common/ids.js';
import type { Page, PageRequest } from '../common/schema/page.js';
import { cutToPage, newestFirst } from '../platform/database/keyset.js';
import { isShownOrGone } from '../conversations/message-path.repository.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Memory, type MemoryKind, type MemoryRange } from './memory.entity.js';

export const memoryOrder = newestFirst('memories');

/** Which of a member's memories and the shared ones are listed. */
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

/** SQL condition: the model may be told of the memory. What was learned in a branch that is not shown waits for that. */
export const isTold = isShownOrGone('memory.source_message_id');

/** SQL condition: of the ids `$2`, the member's own and the shared ones. */
const seenOf = 'company_id = $1 AND id = ANY ($2) AND (owner_id = $3 OR owner_id IS NULL)';

@Injectable()
export class MemoryRepository {
  /** Gives how many are in force. Statements that must see changes of others come after this one, or with it. */
  async lockOwner(tx: Transaction, ownerId: string | null): Promise<number> {
    const [row] = await tx.query<{ inForce: number }>(
      `INSERT INTO memory_owner AS owner (company_id, holder_id, owner_id)
       VALUES ($1, coalesce($2::uuid, $1::uuid), $2)
       ON CONFLICT (company_id, holder_id) DO UPDATE SET in_force = owner.in_force
       RETURNING in_force AS "inForce"`,
      [tx.companyId, ownerId],
    );
    return row?.inForce ?? 0;
  }

  /** Changes the number of the owner's memories in force. The owner must be locked. */
  async count(tx: Transaction, ownerId: string | null, more: number): Promise<void> {
    await tx.query(
      `UPDATE memory_owner SET in_force = in_force + $3
       WHERE company_id = $1 AND holder_id = coalesce($2::uuid, $1::uuid)`,
      [tx.companyId, ownerId, more],
    );
  }

  /** The owner must be locked. */
  async noteForgotten(tx: Transaction, ownerId: string | null, at: Date): Promise<void> {
    await tx.query(
      `UPDATE memory_owner SET forgotten_at = greatest(forgotten_at, $3)
       WHERE company_id = $1 AND holder_id = coalesce($2::uuid, $1::uuid)`,
      [tx.companyId, ownerId, at],
    );
  }

  async hasForgotten(tx: Transaction, memberId: string, since: Date): Promise<boolean> {
    return tx.any(
      `SELECT FROM memory_owner WHERE company_id = $1 AND holder_id IN ($1, $2) AND forgotten_at >= $3`,
      [tx.companyId, memberId, since],
    );
  }

  findOfSubject(
    tx: Transaction,
    { ownerId, kind, subjectKey }: Pick<Memory, 'ownerId' | 'kind' | 'subjectKey'>,
  ): Promise<Memory | null> {
    return tx.find(Memory, { ownerId, kind, subjectKey, supersededBy: null });
  }

  /** Memories in force with this subject, the member's own first. */
  listOfSubject(
    tx: Transaction,
    memberId: string,
    subjectKey: string,
    kinds: readonly MemoryKind[],
  ): Promise<Memory[]> {
    // Two halves, because each has its own index, which an OR would not use.
    const of = (owner: string): string =>
      `SELECT id FROM memory WHERE company_id = $1 AND kind = ANY ($2) AND subject_key = $3
         AND superseded_by IS NULL AND owner_id ${owner}`;
    return tx.select(
      Memory,
      `company_id = $1 AND id IN (${of('= $4')} UNION ALL ${of('IS NULL')}) ORDER BY owner_id NULLS LAST, id DESC`,
      [tx.companyId, kinds, subjectKey, memberId],
    );
  }

  /** Whether any version of the member's own has this message as its source. */
  async hasLearnedFrom(
    tx: Transaction,
    memberId: string,
    messageId: string,
    kinds: readonly MemoryKind[],
  ): Promise<boolean> {
    // A memory has a larger id than its source message, so only the end of the index is searched.
    return tx.any(
      `SELECT 1 FROM memory
       WHERE company_id = $1 AND owner_id = $2 AND kind = ANY ($3) AND id > $4 AND source_message_id = $4 LIMIT 1`,
      [tx.companyId, memberId, kinds, messageId],
    );
  }

  /** By id, of any owner. */
  findAll(tx: Transaction, ids: readonly string[]): Promise<Memory[]> {
    return tx.list(Memory, { id: ids });
  }

  /** By id, the member's own and the shared ones. */
  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    return tx.select(Memory, seenOf, [tx.companyId, ids, memberId]);
  }

  /** As findMany, but only those that a model may be told of. */
  findTold(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Memory[]> {
    return tx.select(Memory, `${seenOf} AND ${isTold}`, [tx.companyId, ids, memberId]);
  }

  /** As findTold, but only those in the range. */
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

  /** In force, of which a model may be told: first the member's own, then the shared ones, each the newest first. */
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

  /** As listInForce, in the range: at most `limit` of the member's own and of the shared ones. */
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

  /** A page of the member's own, superseded ones included, oldest first. */
  listOwn(
    tx: Transaction,
    memberId: string,
    kinds: readonly MemoryKind[],
    after: string | null,
    limit: number,
  ): Promise<Memory[]> {
    return tx.select(
      Memory,
      `company_id = $1 AND id IN (
         SELECT found.id FROM unnest($3::text[]) AS listed(kind) CROSS JOIN LATERAL (
           SELECT id FROM memory WHERE company_id = $1 AND owner_id = $2 AND kind = listed.kind AND id > $4
           ORDER BY owner_id, kind, id LIMIT $5) AS found
         ORDER BY found.id LIMIT $5)
       ORDER BY id`,
      [tx.companyId, memberId, kinds, after ?? NIL_ID, limit],
    );
  }

  /** The earlier versions of each of these, newest first, at most `limit` of each. */
  async listBefore(tx: Transaction, ids: readonly string[], limit: number): Promise<Map<string, Memory[]>> {
    const pairs = await tx.query<{ id: string; earlierId: string }>(
      `SELECT version.id, earlier.id AS "earlierId" FROM memory AS version CROSS JOIN LATERAL (
         SELECT memory.id FROM memory
         WHERE memory.company_id = $1 AND memory.lineage_id = version.lineage_id AND memory.id < version.id
         ORDER BY memory.lineage_id DESC, memory.id DESC LIMIT $3) AS earlier
       WHERE version.company_id = $1 AND version.id = ANY ($2)
       ORDER BY earlier.id DESC`,
      [tx.companyId, ids, limit],
    );
    const found = await this.findAll(
      tx,
      pairs.map(({ earlierId }) => earlierId),
    );
    const byId = new Map(found.map((memory) => [memory.id, memory]));
    const earlier = Map.groupBy(pairs, ({ id }) => id);
    return new Map(
      ids.map((id) => [id, (earlier.get(id) ?? []).flatMap(({ earlierId }) => byId.get(earlierId) ?? [])]),
    );
  }

  async insert(tx: Transaction, memory: Memory): Promise<void> {
    await tx.insert(Memory, memory);
  }

  /** Marks `id` as superseded by a version that is stored next. */
  async supersede(tx: Transaction, id: string, by: Pick<Memory, 'id' | 'createdAt'>): Promise<void> {
    await tx.update(Memory, { id }, { supersededBy: by.id, supersededAt: by.createdAt });
  }

  /** A version and all earlier ones, oldest first. */
  listUpTo(tx: Transaction, { lineageId, id }: Pick<Memory, 'lineageId' | 'id'>): Promise<Memory[]> {
    return tx.select(Memory, 'company_id = $1 AND lineage_id = $2 AND id <= $3 ORDER BY id', [
      tx.companyId,
      lineageId,
      id,
    ]);
  }

  async deleteUpTo(tx: Transaction, { lineageId, id }: Pick<Memory, 'lineageId' | 'id'>): Promise<void> {
    await tx.query('DELETE FROM memory WHERE company_id = $1 AND lineage_id = $2 AND id <= $3', [
      tx.companyId,
      lineageId,
      id,
    ]);
  }

  /** Deletes up to `limit` of a member's own memories, and gives how many. */
  async deleteOwn(tx: Transaction, memberId: string, limit: number): Promise<number> {
    const deleted = await tx.ids(
      `DELETE FROM memory WHERE company_id = $1 AND id = ANY (ARRAY(
         SELECT id FROM memory WHERE company_id = $1 AND owner_id = $2 LIMIT $3)) RETURNING id`,
      [tx.companyId, memberId, limit],
    );
    return deleted.length;
  }

  /** Removes the member's id, and the source message, from the shared memories that they noted. */
  async anonymizeShared(tx: Transaction, memberId: string): Promise<void> {
    await tx.update(
      Memory,
      { ownerId: null, createdBy: memberId },
      { createdBy: null, sourceMessageId: null },
    );
  }
}
