import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { type DocumentView, Document, VIEWS } from '../document.entity.js';

/** What members attach to conversations: documents and images by their ids as attachments. */
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

  /** How many of these documents the company has. */
  async countShared(tx: Transaction, ids: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM document WHERE company_id = $1 AND id = ANY ($2) AND scope = 'COMPANY'`,
      [tx.companyId, ids],
    );
    return row?.count ?? 0;
  }

  /** Those of the conversations that something is attached to. */
  async listWithAttachments(tx: Transaction, conversationIds: readonly string[]): Promise<string[]> {
    return tx.ids(
      'SELECT DISTINCT conversation_id AS id FROM document WHERE company_id = $1 AND conversation_id = ANY ($2)',
      [tx.companyId, conversationIds],
    );
  }

  /** Locks attachments until the transaction ends: none is removed, nor attached elsewhere. */
  async hold(tx: Transaction, ids: readonly string[]): Promise<void> {
    await tx.list(Document, { attachmentId: ids }, 'ORDER BY id FOR NO KEY UPDATE');
  }

  async attach(tx: Transaction, ids: readonly string[], conversationId: string): Promise<void> {
    await tx.update(Document, { attachmentId: ids, conversationId: null }, { conversationId });
  }
}
