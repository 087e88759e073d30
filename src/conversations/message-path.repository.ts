import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { LAST_ID, NIL_ID } from '../common/ids.js';
import { CompanyRow } from '../platform/database/rows.js';
import type { Transaction } from '../platform/database/transaction.js';
import { digestOf, Message } from './message.repository.js';

/** SQL: `path (branch_id, until)`, from its end to its beginning, after WITH RECURSIVE. `$1` is the company. */
export function pathFrom(end: string): string {
  return `path (branch_id, until) AS (
    ${end}
    UNION ALL
    SELECT branch.parent_id, branch.fork_id
    FROM path JOIN conversation_branch AS branch ON branch.company_id = $1 AND branch.id = path.branch_id
    WHERE branch.parent_id IS NOT NULL)`;
}

/** SQL: the path that ends with a message. `branchId`: the branch of a message that is not stored yet, or NULL. */
export function pathTo(messageId: string, branchId = 'NULL'): string {
  const stored = `(SELECT branch_id FROM message WHERE company_id = $1 AND id = ${messageId})`;
  return pathFrom(`SELECT coalesce(${branchId}::uuid, ${stored}), ${messageId}::uuid`);
}

/** SQL: the path that a conversation shows, including later messages at its end. */
export function shownPathOf(conversationId: string): string {
  return pathFrom(
    `SELECT shown_branch_id, CAST('${LAST_ID}' AS uuid) FROM conversation WHERE company_id = $1 AND id = ${conversationId}`,
  );
}

/** SQL: the ids of the first or the last `limit` messages of a path that meet a condition. */
function saidOn(path: string, order: 'ASC' | 'DESC', limit: string, condition = 'true'): string {
  return `WITH RECURSIVE ${path}
    SELECT said.id FROM path CROSS JOIN LATERAL (
      SELECT id FROM message
      WHERE company_id = $1 AND branch_id = path.branch_id AND id <= path.until AND ${condition}
      ORDER BY id ${order} LIMIT ${limit}) AS said
    ORDER BY said.id ${order} LIMIT ${limit}`;
}

/** `messageId`: an SQL expression that may be null. */
export function isShownOrGone(messageId: string): string {
  return `NOT EXISTS (SELECT FROM message WHERE message.company_id = $1 AND message.id = ${messageId} AND NOT ${isShown})`;
}

/** SQL condition: the message `message` is on the path that its conversation shows. */
export const isShown = `NOT EXISTS (
  SELECT FROM conversation_branch AS branch
  WHERE branch.company_id = message.company_id AND branch.id = message.branch_id
    AND (branch.shown_until IS NULL OR branch.shown_until < message.id))`;

/** Messages of a path that come before one of its messages, or up to it. */
interface PathRequest {
  leaf: string;
  /** The branch of the leaf if the leaf is not stored yet. Absent: it is stored. */
  branchId?: string;
  limit: number;
}

/** A search for an assistant's answers to a member. */
interface SaidAnswers {
  memberId: string;
  assistantId: string;
  texts: readonly string[];
  limit: number;
}

/** A summary in 3 to 10 points of a path up to a message. All paths through that message share it. */
@Entity()
@Index('conversation_summary_conversation', ['companyId', 'conversationId'])
@ForeignKey('Conversation', ['companyId', 'conversationId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class ConversationSummary extends CompanyRow {
  /** The branch of the last message that it covers. */
  @PrimaryColumn('uuid')
  branchId!: string;

  /** The last message that it covers. */
  @PrimaryColumn('uuid')
  untilId!: string;

  @Column('uuid')
  conversationId!: string;

  @Column('text')
  text!: string;
}

interface NewSummary {
  /** The previous summary that it extends. */
  before: ConversationSummary | null;
  /** The last message that it covers. */
  until: string;
  text: string;
  /** The number of last messages that a prompt shows anyway. */
  window: number;
}

/** Reads messages along paths, finds answers, and stores summaries. */
@Injectable()
export class MessagePathRepository {
  /** The last `limit` messages before `leaf` on its path, oldest first. */
  async listBefore(tx: Transaction, { leaf, branchId, limit }: PathRequest): Promise<Message[]> {
    const found = await tx.select(
      Message,
      `company_id = $1 AND id IN (${saidOn(pathTo('$2', '$4'), 'DESC', '$3', 'id < $2')}) ORDER BY id DESC`,
      [tx.companyId, leaf, limit, branchId ?? null],
    );
    return found.toReversed();
  }

  /** The last `limit` messages with attachments on the path to `leaf`, including `leaf`, newest first. */
  listAttached(
    tx: Transaction,
    { leaf, limit }: PathRequest,
  ): Promise<{ id: string; attachmentIds: string[] }[]> {
    return tx.query(
      `SELECT id, attachment_ids AS "attachmentIds" FROM message
       WHERE company_id = $1 AND id IN (${saidOn(pathTo('$2'), 'DESC', '$3', 'attachment_ids IS NOT NULL')})
       ORDER BY id DESC`,
      [tx.companyId, leaf, limit],
    );
  }

  async listLastShown(tx: Transaction, conversationId: string, limit: number): Promise<Message[]> {
    const found = await tx.select(Message, shownMessages('DESC'), [tx.companyId, conversationId, limit]);
    return found.toReversed();
  }

  listFirstShown(tx: Transaction, conversationId: string, limit: number): Promise<Message[]> {
    return tx.select(Message, shownMessages('ASC'), [tx.companyId, conversationId, limit]);
  }

  /** Those of the messages that are in the conversation of `leaf` but not on the path to it. */
  async listBeside(tx: Transaction, leaf: string, ids: readonly string[]): Promise<string[]> {
    return tx.ids(
      `WITH RECURSIVE ${pathTo('$2')}
       SELECT message.id FROM message
       JOIN message AS leaf ON leaf.company_id = $1 AND leaf.id = $2 AND leaf.conversation_id = message.conversation_id
       WHERE message.company_id = $1 AND message.id = ANY ($3)
         AND NOT EXISTS (SELECT FROM path WHERE path.branch_id = message.branch_id AND message.id <= path.until)`,
      [tx.companyId, leaf, ids],
    );
  }

  async isShown(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(`SELECT id FROM message WHERE company_id = $1 AND id = $2 AND ${isShown}`, [
      tx.companyId,
      id,
    ]);
  }

  /** The ids of those messages that are on the shown path of their conversation. */
  async listShown(tx: Transaction, ids: readonly string[]): Promise<Set<string>> {
    return new Set(
      await tx.ids(`SELECT id FROM message WHERE company_id = $1 AND id = ANY ($2) AND ${isShown}`, [
        tx.companyId,
        ids,
      ]),
    );
  }

  /** The first `limit` messages after `after` on the path to `leaf`, oldest first, without its last `window`. */
  listOutsideWindow(
    tx: Transaction,
    { leaf, after, window, limit }: PathRequest & { after: string | null; window: number },
  ): Promise<Message[]> {
    const path = pathTo('$2');
    const firstShown = `(SELECT id FROM (${saidOn(path, 'DESC', '$4')}) AS shown ORDER BY id LIMIT 1)`;
    const between = `($3::uuid IS NULL OR id > $3) AND id < ${firstShown}`;
    return tx.select(
      Message,
      `company_id = $1 AND id IN (${saidOn(path, 'ASC', '$5', between)}) ORDER BY id`,
      [tx.companyId, leaf, after, window, limit],
    );
  }

  /**
   * The newest answers with one of these texts, ignoring blanks around it, in a member's conversations with an
   * assistant. An index makes this fast for any number of conversations.
   */
  listAnswers(tx: Transaction, { memberId, assistantId, texts, limit }: SaidAnswers): Promise<Message[]> {
    return tx.select(
      Message,
      `company_id = $1 AND text_digest = ANY ($2)
       AND EXISTS (SELECT FROM conversation WHERE conversation.company_id = $1
         AND conversation.id = message.conversation_id AND member_id = $3 AND assistant_id = $4)
       ORDER BY id DESC LIMIT $5`,
      [tx.companyId, texts.map(digestOf), memberId, assistantId, limit],
    );
  }

  /** The newest summary of the path to the message `leaf`, of messages before it. */
  findSummary(
    tx: Transaction,
    { leaf, branchId }: Pick<PathRequest, 'leaf' | 'branchId'>,
  ): Promise<ConversationSummary | null> {
    return tx.selectOne(
      ConversationSummary,
      `company_id = $1 AND (branch_id, until_id) = (${newestSummary(pathTo('$2', '$3'), 'until_id < $2')})`,
      [tx.companyId, leaf, branchId ?? null],
    );
  }

  async findShownSummary(tx: Transaction, conversationId: string): Promise<ConversationSummary | null> {
    const [summary] = await this.listShownSummaries(tx, [conversationId]);
    return summary ?? null;
  }

  /** The newest summary of the shown path of each conversation that has one. */
  listShownSummaries(tx: Transaction, ids: readonly string[]): Promise<ConversationSummary[]> {
    return tx.select(
      ConversationSummary,
      `company_id = $1 AND (branch_id, until_id) IN (
         SELECT summary.* FROM unnest($2::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (${newestSummary(shownPathOf('wanted.id'), 'true')}) AS summary)`,
      [tx.companyId, ids],
    );
  }

  /** False: another summary was made of `before` meanwhile, or the conversation is gone. */
  async keepSummary(tx: Transaction, { before, until, text, window }: NewSummary): Promise<boolean> {
    if (before?.untilId === until) {
      const { branchId, text: known } = before;
      return tx.update(ConversationSummary, { branchId, untilId: until, text: known }, { text });
    }
    const isKept = await tx.any(
      `INSERT INTO conversation_summary (company_id, branch_id, until_id, conversation_id, text)
             SELECT $1, branch_id, id, conversation_id, $3 FROM message WHERE company_id = $1 AND id = $2
             ON CONFLICT DO NOTHING RETURNING until_id`,
      [tx.companyId, until, text],
    );
    if (isKept && before) await this.dropNeedless(tx, before, until, window);
    return isKept;
  }

  /**
   * Deletes a summary that one up to `until` follows in its branch, if the one before it, or the beginning of the
   * conversation, is at most `window` messages before `until`. Paths that leave in between show all these messages.
   */
  private async dropNeedless(
    tx: Transaction,
    { branchId, untilId }: ConversationSummary,
    until: string,
    window: number,
  ): Promise<void> {
    await tx.query(
      `WITH earlier AS (
         SELECT coalesce(
           (SELECT until_id FROM conversation_summary
            WHERE company_id = $1 AND branch_id = $2 AND until_id < $3 ORDER BY until_id DESC LIMIT 1),
           (SELECT '${NIL_ID}'::uuid FROM conversation WHERE company_id = $1 AND id = $2)) AS until_id)
       DELETE FROM conversation_summary AS needless USING earlier
       WHERE needless.company_id = $1 AND needless.branch_id = $2 AND needless.until_id = $3
         AND EXISTS (SELECT FROM message WHERE company_id = $1 AND id = $4 AND branch_id = $2)
         AND earlier.until_id IS NOT NULL AND NOT EXISTS (
           SELECT FROM message WHERE company_id = $1 AND branch_id = $2 AND id > earlier.until_id AND id <= $4
           OFFSET $5)`,
      [tx.companyId, branchId, untilId, until, window],
    );
  }
}

/** SQL condition: the first or the last `$3` messages of the path that the conversation `$2` shows. */
function shownMessages(order: 'ASC' | 'DESC'): string {
  return `company_id = $1 AND id IN (${saidOn(shownPathOf('$2'), order, '$3')}) ORDER BY id ${order}`;
}

/** SQL: branch and last message of the newest summary on a path. */
function newestSummary(path: string, condition: string): string {
  return `WITH RECURSIVE ${path}
    SELECT path.branch_id, newest.until_id FROM path CROSS JOIN LATERAL (
      SELECT until_id FROM conversation_summary WHERE company_id = $1 AND branch_id = path.branch_id
        AND until_id <= path.until AND ${condition} ORDER BY until_id DESC LIMIT 1) AS newest
    ORDER BY newest.until_id DESC LIMIT 1`;
}
