import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import type { AttachmentKind } from '../document.entity.js';
import { type DocumentView, VIEWS } from '../document-view.js';

/** The facts of an attachment that decide whether a question may use it. */
export interface QuestionFile {
  /** Its id as an attachment. */
  id: string;
  name: string;
  kind: AttachmentKind;
  /** Null: not attached to a conversation yet. */
  conversationId: string | null;
  /** Null: its bytes have not arrived. */
  contentId: string | null;
  hasFailed: boolean;
  /** Why it could not be read, in English or as a code. Null: readable. See errorIn. */
  error: string | null;
}

/** Documents and images of conversations, by their ids as attachments. */
@Injectable()
export class AttachmentRepository {
  /** The member's attachments with these ids, in no order. */
  findMany(tx: Transaction, memberId: string, ids: readonly string[]): Promise<DocumentView[]> {
    return tx.query(`${VIEWS} AND document.attachment_id = ANY ($2) AND document.member_id = $3`, [
      tx.companyId,
      ids,
      memberId,
    ]);
  }

  /** The conversations among these that have attachments. */
  async listWithAttachments(tx: Transaction, conversationIds: readonly string[]): Promise<string[]> {
    return tx.ids(
      'SELECT DISTINCT conversation_id AS id FROM document WHERE company_id = $1 AND conversation_id = ANY ($2)',
      [tx.companyId, conversationIds],
    );
  }

  /** How many of `ids` are documents of the company. */
  async countDocuments(tx: Transaction, ids: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM document WHERE company_id = $1 AND id = ANY ($2) AND scope = 'COMPANY'`,
      [tx.companyId, ids],
    );
    return row?.count ?? 0;
  }

  /** The member's attachments among `ids`, with the facts that decide whether a question may use them. */
  findForQuestion(tx: Transaction, memberId: string, ids: readonly string[]): Promise<QuestionFile[]> {
    return tx.query(
      `SELECT document.attachment_id AS id, document.name, document.kind,
         document.conversation_id AS "conversationId", document.content_id AS "contentId",
         coalesce(content.status = 'FAILED', document.upload_error IS NOT NULL) AS "hasFailed",
         coalesce(content.error, document.upload_error) AS error
       FROM document LEFT JOIN document_content AS content
         ON content.company_id = $1 AND content.id = document.content_id
       WHERE document.company_id = $1 AND document.attachment_id = ANY ($2) AND document.member_id = $3`,
      [tx.companyId, ids, memberId],
    );
  }

  /** Locks attachments until the transaction ends: none is removed, nor attached elsewhere. */
  async hold(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.query(
      `SELECT FROM document WHERE company_id = $1 AND attachment_id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
      [tx.companyId, ids],
    );
  }

  async attach(tx: Transaction, ids: readonly string[], conversationId: string): Promise<void> {
    await tx.query(
      `UPDATE document SET conversation_id = $3
       WHERE company_id = $1 AND attachment_id = ANY ($2) AND conversation_id IS NULL`,
      [tx.companyId, ids, conversationId],
    );
  }
}
