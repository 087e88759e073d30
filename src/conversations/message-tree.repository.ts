import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { IdentifiedRow } from '../platform/database/rows.js';
import { LAST_ID, NIL_ID } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';
import { Conversation } from './conversation.repository.js';
import { pathFrom } from './message-path.repository.js';

/** Consecutive messages without a fork between them, in order of id. Its id is that of its first message. */
@Entity()
@Index('conversation_branch_conversation', ['companyId', 'conversationId'])
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class ConversationBranch extends IdentifiedRow {
  @Column('uuid')
  conversationId!: string;

  /** The parent branch. Null: it begins the conversation. */
  @Column('uuid', { nullable: true })
  parentId!: string | null;

  /** The last message before it in the parent branch. It may be an answer that is not stored yet. */
  @Column('uuid', { nullable: true })
  forkId!: string | null;

  /** The shown path includes the branch's messages up to this id. Null: none of them. */
  @Column('uuid', { nullable: true })
  shownUntil!: string | null;
}

/** A turn that has not ended: the ids of its question and its unstored answer. */
export interface PendingAnswer {
  questionId: string;
  answerId: string;
}

/** Where a branch leaves its parent. Null: it begins the conversation. */
export type Fork = { branchId: string; forkId: string } | null;

@Injectable()
export class MessageTreeRepository {
  findBranch(tx: Transaction, id: string): Promise<ConversationBranch | null> {
    return tx.find(ConversationBranch, { id });
  }

  async findShownBranchId(tx: Transaction, conversationId: string): Promise<string | null> {
    return (await tx.find(Conversation, { id: conversationId }))?.shownBranchId ?? null;
  }

  async countBranches(tx: Transaction, conversationId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM conversation_branch WHERE company_id = $1 AND conversation_id = $2',
      [tx.companyId, conversationId],
    );
    return row?.count ?? 0;
  }

  /** Adds a branch, and a row for the first one if missing. Does not change the shown path: see `show`. */
  async addBranch(tx: Transaction, conversationId: string, id: string, fork: Fork): Promise<void> {
    await tx.query(
      `INSERT INTO conversation_branch (company_id, id, conversation_id, parent_id, fork_id)
       VALUES ($1, $2, $2, NULL, NULL), ($1, $3, $2, $4, $5) ON CONFLICT DO NOTHING`,
      [tx.companyId, conversationId, id, fork?.branchId ?? null, fork?.forkId ?? null],
    );
  }

  /** Removes an empty branch without children. False: it is not such a branch. */
  async removeEmptyBranch(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(
      `DELETE FROM conversation_branch AS empty WHERE company_id = $1 AND id = $2 AND parent_id IS NOT NULL
         AND NOT EXISTS (SELECT FROM message WHERE company_id = $1 AND branch_id = $2)
         AND NOT EXISTS (SELECT FROM conversation_branch AS child
           WHERE child.company_id = $1 AND child.conversation_id = empty.conversation_id AND child.parent_id = $2)
       RETURNING id`,
      [tx.companyId, id],
    );
  }

  async show(tx: Transaction, conversationId: string, branchId: string): Promise<void> {
    await tx.update(Conversation, { id: conversationId }, { shownBranchId: branchId });
    await tx.query(
      `WITH RECURSIVE ${pathFrom(`SELECT $3::uuid, '${LAST_ID}'::uuid`)}
       UPDATE conversation_branch AS branch SET shown_until = shown.until
       FROM (SELECT id, until FROM conversation_branch LEFT JOIN path ON branch_id = id
         WHERE company_id = $1 AND conversation_id = $2) AS shown
       WHERE branch.company_id = $1 AND branch.id = shown.id AND branch.shown_until IS DISTINCT FROM shown.until`,
      [tx.companyId, conversationId, branchId],
    );
  }

  /** Moves the fork of a branch. False: no such branch. */
  async moveFork(tx: Transaction, id: string, fork: NonNullable<Fork>): Promise<boolean> {
    return tx.any(
      'UPDATE conversation_branch SET parent_id = $3, fork_id = $4 WHERE company_id = $1 AND id = $2 RETURNING id',
      [tx.companyId, id, fork.branchId, fork.forkId],
    );
  }

  /**
   * The newest message with an id before `before` that is the message or comes after it, including `pending` answers.
   */
  async findNewest(
    tx: Transaction,
    messageId: string,
    before = LAST_ID,
    pending: readonly PendingAnswer[] = [],
  ): Promise<Fork> {
    const [newest] = await tx.query<NonNullable<Fork>>(
      `WITH RECURSIVE below (conversation_id, branch_id, since) AS (
         SELECT conversation_id, branch_id, id FROM message WHERE company_id = $1 AND id = $2
         UNION ALL
         SELECT below.conversation_id, branch.id, '${NIL_ID}'
         FROM below JOIN conversation_branch AS branch ON branch.company_id = $1
           AND branch.conversation_id = below.conversation_id AND branch.parent_id = below.branch_id
           AND branch.fork_id >= below.since)
       SELECT below.branch_id AS "branchId", last.id AS "forkId" FROM below CROSS JOIN LATERAL (
         SELECT id FROM message WHERE company_id = $1 AND branch_id = below.branch_id AND id >= below.since
           AND id < $3 ORDER BY id DESC LIMIT 1) AS last
       UNION ALL
       SELECT coalesce(own.id, question.branch_id), answer_id
       FROM unnest($4::uuid[], $5::uuid[]) AS pending (question_id, answer_id)
       JOIN message AS question ON question.company_id = $1 AND question.id = question_id
       JOIN below ON below.branch_id = question.branch_id AND question.id >= below.since
       LEFT JOIN conversation_branch AS own ON own.company_id = $1 AND own.id = answer_id
       WHERE answer_id < $3
       ORDER BY "forkId" DESC LIMIT 1`,
      [
        tx.companyId,
        messageId,
        before,
        pending.map(({ questionId }) => questionId),
        pending.map(({ answerId }) => answerId),
      ],
    );
    return newest ?? null;
  }

  /** The message before each of these, by id. Null: the first of a conversation. */
  async findParents(tx: Transaction, ids: readonly string[]): Promise<Map<string, string | null>> {
    const rows = await tx.query<{ id: string; parentId: string | null }>(
      `WITH RECURSIVE path (id, branch_id, until) AS (
         SELECT id, branch_id, id FROM message WHERE company_id = $1 AND id = ANY ($2)
         UNION ALL
         SELECT path.id, branch.parent_id, branch.fork_id
         FROM path JOIN conversation_branch AS branch ON branch.company_id = $1 AND branch.id = path.branch_id
         WHERE branch.parent_id IS NOT NULL)
       SELECT DISTINCT ON (path.id) path.id, before.id AS "parentId"
       FROM path LEFT JOIN LATERAL (
         SELECT id FROM message WHERE company_id = $1 AND branch_id = path.branch_id AND id <= path.until
           AND id < path.id ORDER BY id DESC LIMIT 1) AS before ON true
       ORDER BY path.id, before.id DESC NULLS LAST`,
      [tx.companyId, ids],
    );
    return new Map(rows.map(({ id, parentId }) => [id, parentId]));
  }

  /** The first message of each branch of these messages' conversations. Empty: they have no branches. */
  async listBranchStarts(tx: Transaction, ids: readonly string[]): Promise<string[]> {
    return tx.ids(
      `SELECT first.id FROM conversation_branch AS branch CROSS JOIN LATERAL (
         SELECT id FROM message WHERE company_id = $1 AND branch_id = branch.id ORDER BY id LIMIT 1) AS first
       WHERE branch.company_id = $1 AND branch.conversation_id IN (
         SELECT conversation_id FROM message WHERE company_id = $1 AND id = ANY ($2))`,
      [tx.companyId, ids],
    );
  }

  /** Questions of this text after `parent`. Null: those that begin the conversation. */
  async listQuestionsAfter(
    tx: Transaction,
    conversationId: string,
    parent: { id: string; branchId: string } | null,
    text: string,
  ): Promise<string[]> {
    return tx.ids(
      `SELECT next.id FROM (
         SELECT $3::uuid AS id, $4::uuid AS since
         UNION ALL
         SELECT id, '${NIL_ID}' FROM conversation_branch AS branch
         WHERE company_id = $1 AND conversation_id = $2 AND id <> $2 AND fork_id IS NOT DISTINCT FROM $5::uuid
       ) AS start CROSS JOIN LATERAL (
         SELECT id, role, text FROM message WHERE company_id = $1 AND branch_id = start.id AND id > start.since
         ORDER BY id LIMIT 1) AS next
       WHERE next.role = 'USER' AND next.text = $6`,
      [
        tx.companyId,
        conversationId,
        parent?.branchId ?? conversationId,
        parent?.id ?? NIL_ID,
        parent?.id ?? null,
        text,
      ],
    );
  }

  /** The next message in the branch of each of these. */
  async listNext(tx: Transaction, ids: readonly string[]): Promise<string[]> {
    return tx.ids(
      `SELECT next.id FROM message CROSS JOIN LATERAL (
         SELECT id FROM message AS later WHERE later.company_id = $1 AND later.branch_id = message.branch_id
           AND later.id > message.id ORDER BY id LIMIT 1) AS next
       WHERE message.company_id = $1 AND message.id = ANY ($2)`,
      [tx.companyId, ids],
    );
  }
}
