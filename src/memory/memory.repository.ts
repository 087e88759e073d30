import { Injectable } from '@nestjs/common';

import { NIL_ID } from '../common/ids.js';
import { rowsOf } from '../platform/database/rows.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Memory, type MemoryKind } from './memory.entity.js';

/** The rows of memories of any owner, for writers. */
@Injectable()
export class MemoryRepository extends rowsOf(Memory) {
  /** Returns the number of current ones. Statements that must see others' changes come after this, or with it. */
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

  findOfSubject(
    tx: Transaction,
    { ownerId, kind, subjectKey }: Pick<Memory, 'ownerId' | 'kind' | 'subjectKey'>,
  ): Promise<Memory | null> {
    return tx.find(Memory, { ownerId, kind, subjectKey, supersededBy: null });
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
    const found = await this.list(tx, { id: pairs.map(({ earlierId }) => earlierId) });
    const byId = new Map(found.map((memory) => [memory.id, memory]));
    const earlier = Map.groupBy(pairs, ({ id }) => id);
    return new Map(
      ids.map((id) => [id, (earlier.get(id) ?? []).flatMap(({ earlierId }) => byId.get(earlierId) ?? [])]),
    );
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
