import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import type { AttachmentKind } from '../document.entity.js';

/** An attachment, as far as it matters for whether a question can be asked with it. */
export interface QuestionFile {
  /** Its id as an attachment. */
  id: string;
  name: string;
  kind: AttachmentKind;
  /** Null: it belongs to none yet. */
  conversationId: string | null;
  /** Null: its bytes have not come. */
  contentId: string | null;
  hasFailed: boolean;
  /** Why it could not be read, in English or as a code; null: it could. See errorIn. */
  error: string | null;
}

@Injectable()
export class QuestionFileRepository {
  /** How many of `ids` are documents of the company. */
  async countDocuments(tx: Transaction, ids: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM document WHERE company_id = $1 AND id = ANY ($2) AND scope = 'COMPANY'`,
      [tx.companyId, ids],
    );
    return row?.count ?? 0;
  }

  /** The member's attachments with these ids, in no order. */
  find(tx: Transaction, memberId: string, ids: readonly string[]): Promise<QuestionFile[]> {
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
