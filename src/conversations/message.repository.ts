import { createHash } from 'node:crypto';
import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { Conversation } from './conversation.repository.js';
import type { StoredPart } from './message-part.js';
import { CreatedRow, rowsOf } from '../platform/database/rows.js';
import { NIL_ID } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';

export const messageRoles = ['USER', 'ASSISTANT'] as const;
export type MessageRole = (typeof messageRoles)[number];

const messageStatuses = ['COMPLETE', 'INTERRUPTED', 'FAILED'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** A source of an answer: `marker` is the n of its [n] in the text. `score` is 0 to 1. */
export interface Citation {
  marker: number;
  documentId: string;
  documentName: string;
  page: number | null;
  quote: string;
  score: number;
}

/** The digest by which an answer from a client is found, ignoring blanks around it. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.trim()).digest('base64url');
}

/** Ids are assigned with the turn, so they are in order even if a question comes before an earlier answer. */
@Entity()
@Index('message_order', ['companyId', 'conversationId', 'id'])
@Index('message_branch', ['companyId', 'branchId', 'id'])
// Each turn of a conversation with attachments looks for those of its path.
@Index('message_attached', ['companyId', 'branchId', 'id'], { where: `"attachment_ids" IS NOT NULL` })
@Index('message_digest', ['companyId', 'textDigest'], { where: `"text_digest" IS NOT NULL` })
@ForeignKey(() => Conversation, ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Message extends CreatedRow {
  @Column('uuid')
  conversationId!: string;

  /** The branch, see ConversationBranch. The first branch has the conversation's id. */
  @Column('uuid')
  branchId!: string;

  /** Null for imported history. No foreign key, as the turn's row refers to its messages; both go with the conversation. */
  @Column('uuid', { nullable: true })
  turnId!: string | null;

  @Column('text')
  role!: MessageRole;

  @Column('text')
  status!: MessageStatus;

  @Column('text')
  text!: string;

  /** The digest of an answer, by `digestOf`. Null for questions, and for answers of earlier versions. */
  @Column('text', { nullable: true, select: false })
  textDigest?: string | null;

  /** Its parts. Null: only the text. */
  @Column('jsonb', { nullable: true })
  parts!: StoredPart[] | null;

  /** Attachments of a question, in order. Null: none. Some may be gone. */
  @Column('uuid', { array: true, nullable: true })
  attachmentIds!: string[] | null;

  @Column('jsonb', { default: [] })
  citations!: Citation[];

  /** The author's name in the system of an import. Null: not imported. */
  @Column('text', { nullable: true })
  author!: string | null;

  /** Excluded from recall for good: it is off the record, or its memories were forgotten. */
  @Column('boolean', { default: false })
  withheld!: boolean;

  /** A question that is excluded from recall until it is answered to the end: its turn was cancelled before. */
  @Column('boolean', { default: false })
  withdrawn!: boolean;

  /** Its content was removed, because it is another member's: see hiddenMessage. Not stored. */
  hidden?: true;
}

export type Answer = Pick<
  Message,
  'id' | 'conversationId' | 'turnId' | 'status' | 'text' | 'parts' | 'citations' | 'createdAt'
> & {
  /** A withheld question withholds its answer too, which is in the branch of its own id or in the question's. */
  questionId: string;
};

export type SaidMessage = Pick<Message, 'id' | 'role' | 'text' | 'author' | 'withheld' | 'createdAt'>;

type UnindexedMessage = Pick<Message, 'id' | 'text' | 'author'> & {
  /** Whether it is newer than everything in the index. */
  isNew: boolean;
  /** Whether it may be recalled: neither failed, withheld nor withdrawn. */
  isRecalled: boolean;
};

@Injectable()
export class MessageRepository extends rowsOf(Message) {
  async insertAnswer(tx: Transaction, answer: Answer & Pick<Message, 'withheld'>): Promise<void> {
    await tx.query(
      `WITH place AS (UPDATE conversation SET updated_at = $7 WHERE company_id = $1 AND id = $3),
       answered AS (UPDATE message SET withdrawn = false WHERE company_id = $1 AND id = $10::uuid AND withdrawn
         AND $5 = 'COMPLETE')
       INSERT INTO message (company_id, id, conversation_id, turn_id, role, status, text, parts, created_at, citations,
         withheld, text_digest, branch_id)
       VALUES ($1, $2, $3, $4, 'ASSISTANT', $5, $6, $11, $7, $8, $9 OR EXISTS (
         SELECT FROM message AS question WHERE company_id = $1 AND id = $10::uuid AND question.withheld), $12,
         coalesce((SELECT id FROM conversation_branch WHERE company_id = $1 AND id = $2),
           (SELECT branch_id FROM message WHERE company_id = $1 AND id = $10::uuid)))`,
      [
        tx.companyId,
        answer.id,
        answer.conversationId,
        answer.turnId,
        answer.status,
        answer.text,
        answer.createdAt,
        JSON.stringify(answer.citations),
        answer.withheld,
        answer.questionId,
        answer.parts && JSON.stringify(answer.parts),
        digestOf(answer.text),
      ],
    );
  }

  async insertSaid(tx: Transaction, conversationId: string, messages: readonly SaidMessage[]): Promise<void> {
    const place = { conversationId, branchId: conversationId, status: 'COMPLETE' as const };
    const rows = messages.map(({ id, role, text, author, withheld, createdAt }) => ({
      ...place,
      id,
      role,
      text,
      author,
      withheld,
      createdAt,
      textDigest: role === 'ASSISTANT' ? digestOf(text) : null,
    }));
    await tx.insertAll(Message, rows);
  }

  /** The first `limit` messages that are not indexed, and those of `ids`, in order. */
  listUnindexed(
    tx: Transaction,
    conversationId: string,
    ids: readonly string[],
    limit: number,
  ): Promise<UnindexedMessage[]> {
    return tx.query(
      `WITH fresh AS (
         SELECT id FROM message
         WHERE company_id = $1 AND conversation_id = $2 AND id > COALESCE(
           (SELECT indexed_until FROM conversation WHERE company_id = $1 AND id = $2), '${NIL_ID}')
         ORDER BY id LIMIT $4)
       SELECT id, text, author, id IN (SELECT id FROM fresh) AS "isNew",
         NOT withheld AND NOT withdrawn AND status <> 'FAILED' AS "isRecalled"
       FROM message WHERE company_id = $1 AND conversation_id = $2 AND id = ANY (
         ARRAY(SELECT id FROM fresh) || $3::uuid[])
       ORDER BY id`,
      [tx.companyId, conversationId, ids, limit],
    );
  }

  /** False: the question has an answer, as that of another turn. */
  async withdraw(tx: Transaction, conversationId: string, id: string): Promise<boolean> {
    return tx.any(
      `UPDATE message SET withdrawn = true
       WHERE company_id = $1 AND id = $3 AND NOT EXISTS (
         SELECT FROM turn JOIN message AS answer ON answer.company_id = $1 AND answer.id = turn.answer_id
         WHERE turn.company_id = $1 AND turn.conversation_id = $2 AND turn.question_id = $3)
       RETURNING id`,
      [tx.companyId, conversationId, id],
    );
  }

  /** Withholds messages from recall. Returns those that were not withheld before, with members and conversations. */
  withhold(
    tx: Transaction,
    ids: readonly string[],
  ): Promise<{ id: string; memberId: string; conversationId: string }[]> {
    return tx.query(
      `UPDATE message SET withheld = true FROM conversation
       WHERE message.company_id = $1 AND message.id = ANY ($2) AND NOT message.withheld
         AND conversation.company_id = $1 AND conversation.id = message.conversation_id
       RETURNING message.id, conversation.member_id AS "memberId", conversation.id AS "conversationId"`,
      [tx.companyId, ids],
    );
  }
}
