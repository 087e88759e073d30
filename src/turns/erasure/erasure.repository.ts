import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { TERMINAL } from '../turn.repository.js';
import { Erasure } from './erasure.entity.js';

/** A turn that may have been told of what was forgotten, and how it stands. */
export interface LateTurn {
  id: string;
  /** Null: it has not ended. */
  finishedAt: Date | null;
}

@Injectable()
export class ErasureRepository {
  async insert(tx: Transaction, erasure: Omit<Erasure, 'companyId' | 'cursor' | 'late'>): Promise<void> {
    await tx.query(
      `INSERT INTO erasure (company_id, id, owner_id, texts, short_texts, since, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        tx.companyId,
        erasure.id,
        erasure.ownerId,
        erasure.texts,
        erasure.shortTexts,
        erasure.since,
        erasure.createdAt,
      ],
    );
  }

  find(tx: Transaction, id: string): Promise<Erasure | null> {
    return tx.selectOne(Erasure, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  async keepLate(tx: Transaction, id: string, late: readonly string[]): Promise<void> {
    await tx.query('UPDATE erasure SET late = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      late,
    ]);
  }

  async keepCursor(tx: Transaction, id: string, cursor: string): Promise<void> {
    await tx.query('UPDATE erasure SET cursor = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      id,
      cursor,
    ]);
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM erasure WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Of the owner's turns, or (null) of all, those that have not ended. */
  async listUnfinished(tx: Transaction, ownerId: string | null): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM turn WHERE company_id = $1 AND ($2::uuid IS NULL OR member_id = $2)
         AND status NOT IN (${TERMINAL})`,
      [tx.companyId, ownerId],
    );
    return rows.map(({ id }) => id);
  }

  /** Those of `ids` that are still there, and the owner's whose ids lie between the two. */
  listLate(
    tx: Transaction,
    { ownerId, late }: Pick<Erasure, 'ownerId' | 'late'>,
    [from, to]: readonly [string, string],
  ): Promise<LateTurn[]> {
    return tx.query<LateTurn>(
      `SELECT id, finished_at AS "finishedAt" FROM turn WHERE company_id = $1 AND id = ANY ($2)
       UNION
       SELECT id, finished_at FROM turn
       WHERE company_id = $1 AND id >= $3 AND id < $4 AND ($5::uuid IS NULL OR member_id = $5)
       ORDER BY id`,
      [tx.companyId, late ?? [], from, to, ownerId],
    );
  }

  /** The owner's conversations of whose turns some may have been told, in the order of their ids. */
  async listConversations(
    tx: Transaction,
    { ownerId, since, cursor }: Pick<Erasure, 'ownerId' | 'since' | 'cursor'>,
    limit: number,
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM conversation WHERE company_id = $1 AND ($2::uuid IS NULL OR member_id = $2)
         AND updated_at >= $3 AND ($4::uuid IS NULL OR id > $4) ORDER BY id LIMIT $5`,
      [tx.companyId, ownerId, since, cursor, limit],
    );
    return rows.map(({ id }) => id);
  }

  async listTurns(
    tx: Transaction,
    conversationId: string,
    { since, after, limit }: { since: Date; after: string | null; limit: number },
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM turn WHERE company_id = $1 AND conversation_id = $2 AND ($3::uuid IS NULL OR id > $3)
         AND (finished_at IS NULL OR finished_at >= $4) ORDER BY id LIMIT $5`,
      [tx.companyId, conversationId, after, since, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The questions and answers of the turns that these messages are of. */
  async listOfSameTurns(tx: Transaction, messageIds: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ question: string; answer: string }>(
      `SELECT turn.question_id AS question, turn.answer_id AS answer
       FROM message JOIN turn ON turn.company_id = message.company_id AND turn.id = message.turn_id
       WHERE message.company_id = $1 AND message.id = ANY ($2)`,
      [tx.companyId, messageIds],
    );
    return rows.flatMap(({ question, answer }) => [question, answer]);
  }
}
