import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, CompanyRow } from '../platform/database/rows.js';
import { NIL_ID } from '../common/ids.js';
import type { Transaction } from '../platform/database/transaction.js';
import { type PathRequest, pathTo, shownPathOf } from './message-path.js';

@Entity()
@Index('conversation_assistant', ['companyId', 'assistantId'])
@Index('conversation_recent', ['companyId', 'memberId', 'updatedAt', 'id'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Assistant', ['companyId', 'assistantId'], ['companyId', 'id'], {
  // Checked at commit: deleting a company deletes its assistants before its members' conversations.
  deferrable: 'INITIALLY DEFERRED',
})
export class Conversation extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  @Column('uuid')
  assistantId!: string;

  @Column('text', { nullable: true })
  title!: string | null;

  /** The member gave it its title, which stays. */
  @Column('boolean', { default: false })
  titledByMember!: boolean;

  @Column('boolean', { default: false })
  archived!: boolean;

  @Column('boolean', { default: false })
  pinned!: boolean;

  /** The branch whose end is shown: see ConversationBranch. */
  @Column('uuid')
  shownBranchId!: string;

  /** The lineage id of the pinned project, whose newest version counts; null: none is pinned. */
  @Column('uuid', { nullable: true })
  activeProjectId!: string | null;

  /** The last message that is in the search index; null while none is. */
  @Column('uuid', { nullable: true })
  indexedUntil!: string | null;

  /** When the last question or answer was stored. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** In 3 to 10 points, of a path up to a message: all paths through that message share it. */
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

export type IndexedConversation = Pick<Conversation, 'id' | 'memberId'>;

export interface NewSummary {
  /** What it is made of. */
  before: ConversationSummary | null;
  /** The last message that it covers. */
  until: string;
  text: string;
  /** How many of the last messages a prompt shows besides. */
  window: number;
}

@Injectable()
export class ConversationRepository {
  async insert(
    tx: Transaction,
    conversation: Omit<Conversation, 'shownBranchId' | 'activeProjectId'>,
  ): Promise<void> {
    await tx.insert(Conversation, { ...conversation, shownBranchId: conversation.id });
  }

  find(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.find(Conversation, { memberId, id });
  }

  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<Conversation[]> {
    return tx.list(Conversation, { memberId, id: ids });
  }

  /** Whosever they are. */
  findAll(tx: Transaction, ids: readonly string[]): Promise<Conversation[]> {
    return tx.list(Conversation, { id: ids });
  }

  /** Serialises changes to its turns. FOR UPDATE would block foreign key checks of turns that are updated twice. */
  lock(tx: Transaction, memberId: string, id: string): Promise<Conversation | null> {
    return tx.lock(Conversation, { memberId, id });
  }

  /** The first `limit` of a member's after the id `after`, in the order of their ids. */
  listAfter(tx: Transaction, memberId: string, after: string | null, limit: number): Promise<Conversation[]> {
    return tx.listAfter(Conversation, { memberId }, after, limit);
  }

  async hold(tx: Transaction, id: string): Promise<void> {
    await tx.lock(Conversation, { id });
  }

  async update(tx: Transaction, id: string, changes: Partial<Conversation>): Promise<void> {
    await tx.update(Conversation, { id }, changes);
  }

  /** `before`: only in place of this one. Gives the member; null: nothing changed, as with a title of the member's. */
  async setTitle(
    tx: Transaction,
    id: string,
    title: string | null,
    before: string | null = null,
  ): Promise<string | null> {
    const [changed] = await tx.query<{ memberId: string }>(
      `UPDATE conversation SET title = $3 WHERE company_id = $1 AND id = $2 AND title IS DISTINCT FROM $3
         AND NOT titled_by_member AND ($4::text IS NULL OR title = $4) RETURNING member_id AS "memberId"`,
      [tx.companyId, id, title, before],
    );
    return changed?.memberId ?? null;
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

  /** The newest summary of the path that each of these conversations shows, as far as there is one. */
  listShownSummaries(tx: Transaction, ids: readonly string[]): Promise<ConversationSummary[]> {
    return tx.select(
      ConversationSummary,
      `company_id = $1 AND (branch_id, until_id) IN (
         SELECT summary.* FROM unnest($2::uuid[]) AS wanted (id)
         CROSS JOIN LATERAL (${newestSummary(shownPathOf('wanted.id'), 'true')}) AS summary)`,
      [tx.companyId, ids],
    );
  }

  /** False: another one was made of `before` meanwhile, or the conversation is gone. */
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
   * Deletes a summary that one up to `until` follows in its branch, if the one before it, or the beginning, is no more than
   * `window` messages back: paths that leave in between show all that was said since then.
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

  async pinProject(tx: Transaction, id: string, activeProjectId: string | null): Promise<void> {
    await tx.update(Conversation, { id }, { activeProjectId });
  }

  async keepIndexed(tx: Transaction, id: string, until: string): Promise<void> {
    await tx.update(Conversation, { id }, { indexedUntil: until });
  }

  listUnindexed(tx: Transaction, after: string, limit: number): Promise<IndexedConversation[]> {
    return tx.query(
      `SELECT conversation.id, conversation.member_id AS "memberId"
       FROM conversation JOIN assistant
         ON assistant.company_id = $1 AND assistant.id = conversation.assistant_id AND assistant.recalls_conversations
       WHERE conversation.company_id = $1 AND conversation.id > $2 AND EXISTS (
         SELECT FROM message
         WHERE message.company_id = $1 AND message.conversation_id = conversation.id
           AND message.id > COALESCE(conversation.indexed_until, '${NIL_ID}'))
       ORDER BY conversation.id LIMIT $3`,
      [tx.companyId, after, limit],
    );
  }

  delete(tx: Transaction, memberId: string, id: string): Promise<boolean> {
    return tx.delete(Conversation, { memberId, id });
  }
}

/** SQL: branch and last message of the newest summary on a path. */
function newestSummary(path: string, condition: string): string {
  return `WITH RECURSIVE ${path}
    SELECT path.branch_id, newest.until_id FROM path CROSS JOIN LATERAL (
      SELECT until_id FROM conversation_summary WHERE company_id = $1 AND branch_id = path.branch_id
        AND until_id <= path.until AND ${condition} ORDER BY until_id DESC LIMIT 1) AS newest
    ORDER BY newest.until_id DESC LIMIT 1`;
}
