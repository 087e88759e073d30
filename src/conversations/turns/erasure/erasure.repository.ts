import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../../platform/database/rows.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { TERMINAL_STATUSES } from '../turn.repository.js';
import { PendingInput } from '../inputs/pending-input.entity.js';

/** Texts that are being erased from turns. The row holds them until that is done, and is deleted then. */
@Entity()
@Index('erasure_owner', ['companyId', 'ownerId'])
@ForeignKey('Member', ['companyId', 'ownerId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Erasure extends CreatedRow {
  /** The member whose turns may have the texts. Null: anybody in the company. */
  @Column('uuid', { nullable: true })
  ownerId!: string | null;

  /** The deleted document that the texts are from. Its texts are looked up in the turns. Null: not about a document. */
  @Column('uuid', { nullable: true })
  documentId!: string | null;

  /** Texts that are erased everywhere. */
  @Column('text', { array: true })
  texts!: string[];

  /** Texts that are erased among memories only. */
  @Column('text', { array: true })
  shortTexts!: string[];

  /** Turns that ended before this cannot hold the texts. */
  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  /** The last conversation that was processed; null: none yet. */
  @Column('uuid', { nullable: true })
  cursor!: string | null;

  /** Turns that were unfinished, or written to since. Processed again after their end. Null: not determined yet. */
  @Column('uuid', { array: true, nullable: true })
  late!: string[] | null;
}

/** A turn that may have been running when the texts were forgotten. */
export interface LateTurn {
  id: string;
  /** Null: it has not ended. */
  finishedAt: Date | null;
}

@Injectable()
export class ErasureRepository extends rowsOf(Erasure) {
  async listIds(tx: Transaction): Promise<string[]> {
    return tx.ids('SELECT id FROM erasure WHERE company_id = $1', [tx.companyId]);
  }

  /** Unfinished turns of the owner, or (null) of the whole company. */
  async listUnfinished(tx: Transaction, ownerId: string | null): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM turn WHERE company_id = $1 AND ($2::uuid IS NULL OR member_id = $2)
         AND status NOT IN (${TERMINAL_STATUSES})`,
      [tx.companyId, ownerId],
    );
  }

  /** Adds a turn that was written to later. Waits for a pass that determines `late`, which then finds what is new. */
  async addLate(tx: Transaction, memberId: string, turnId: string): Promise<void> {
    await tx.query(
      `UPDATE erasure
       SET late = CASE WHEN late IS NULL OR $3 = ANY (late) THEN late ELSE array_append(late, $3::uuid) END
       WHERE company_id = $1 AND (owner_id IS NULL OR owner_id = $2)`,
      [tx.companyId, memberId, turnId],
    );
  }

  /** The turns listed in `late`, and the owner's turns with ids from `from` to before `to`. */
  listLate(
    tx: Transaction,
    { id, ownerId }: Pick<Erasure, 'id' | 'ownerId'>,
    [from, to]: readonly [string, string],
  ): Promise<LateTurn[]> {
    return tx.query<LateTurn>(
      `SELECT id, finished_at AS "finishedAt" FROM turn WHERE company_id = $1
         AND id IN (SELECT unnest(late) FROM erasure WHERE company_id = $1 AND id = $2)
       UNION
       SELECT id, finished_at FROM turn
       WHERE company_id = $1 AND id >= $3 AND id < $4 AND ($5::uuid IS NULL OR member_id = $5)
       ORDER BY id`,
      [tx.companyId, id, from, to, ownerId],
    );
  }

  /** The owner's conversations that changed since, in the order of their ids. */
  async listConversations(
    tx: Transaction,
    { ownerId, since, cursor }: Pick<Erasure, 'ownerId' | 'since' | 'cursor'>,
    limit: number,
  ): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM conversation WHERE company_id = $1 AND ($2::uuid IS NULL OR member_id = $2)
         AND updated_at >= $3 AND ($4::uuid IS NULL OR id > $4) ORDER BY id LIMIT $5`,
      [tx.companyId, ownerId, since, cursor, limit],
    );
  }

  async listTurns(
    tx: Transaction,
    conversationId: string,
    { since, after, limit }: { since: Date; after: string | null; limit: number },
  ): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM turn WHERE company_id = $1 AND conversation_id = $2 AND ($3::uuid IS NULL OR id > $3)
         AND (finished_at IS NULL OR finished_at >= $4) ORDER BY id LIMIT $5`,
      [tx.companyId, conversationId, after, since, limit],
    );
  }

  /** The question and answer ids of these messages' turns, and of turns that regenerated their answers. */
  async listOfSameTurns(tx: Transaction, messageIds: readonly string[]): Promise<string[]> {
    const rows = await tx.query<{ question: string; answer: string }>(
      `SELECT turn.question_id AS question, turn.answer_id AS answer
       FROM message JOIN turn ON turn.company_id = $1 AND turn.conversation_id = message.conversation_id
         AND (turn.id = message.turn_id OR turn.question_id = message.id)
       WHERE message.company_id = $1 AND message.id = ANY ($2)`,
      [tx.companyId, messageIds],
    );
    return rows.flatMap(({ question, answer }) => [question, answer]);
  }

  async listConversationsOf(tx: Transaction, memberId: string, limit: number): Promise<string[]> {
    return tx.ids('SELECT id FROM conversation WHERE company_id = $1 AND member_id = $2 LIMIT $3', [
      tx.companyId,
      memberId,
      limit,
    ]);
  }

  /** Removes a member's name and comments from approvals of others' turns. The decisions stay. */
  async forgetApprover(tx: Transaction, memberId: string): Promise<void> {
    await tx.update(PendingInput, { resolvedBy: memberId }, { resolvedBy: null, comment: null });
  }
}
