import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../platform/database/transaction.js';
import { type DocumentView, VIEWS } from '../document-view.js';

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

  /** Those of the conversations that something is attached to. */
  async listWithAttachments(tx: Transaction, conversationIds: readonly string[]): Promise<string[]> {
    return tx.ids(
      'SELECT DISTINCT conversation_id AS id FROM document WHERE company_id = $1 AND conversation_id = ANY ($2)',
      [tx.companyId, conversationIds],
    );
  }
}
