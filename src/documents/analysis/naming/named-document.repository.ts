import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../../database/transaction.js';
import type { NamedDocument } from './named-document.js';

const NAMED = `
  SELECT document.id, document.name, document.created_at AS "createdAt", document.content_id AS "contentId",
    document.upload_error AS "uploadError", coalesce(content.status, 'PENDING') AS status, content.error,
    coalesce(content.progress, 0) AS progress
  FROM document LEFT JOIN document_content AS content
    ON content.company_id = document.company_id AND content.id = document.content_id
  WHERE document.company_id = $1`;

@Injectable()
export class NamedDocumentRepository {
  /** Newest first. */
  listByIds(tx: Transaction, ids: readonly string[], limit: number): Promise<NamedDocument[]> {
    return tx.query(`${NAMED} AND document.id = ANY ($2) ORDER BY document.id DESC LIMIT $3`, [
      tx.companyId,
      ids,
      limit,
    ]);
  }

  /** Those whose names fit all `patterns`, newest first. */
  listNamed(tx: Transaction, patterns: readonly string[], limit: number): Promise<NamedDocument[]> {
    return tx.query(
      // A name may come with its accents as characters of their own, as from macOS.
      `${NAMED} AND normalize(document.name, NFKC) ILIKE ALL ($2::text[]) ORDER BY document.id DESC LIMIT $3`,
      [tx.companyId, patterns, limit],
    );
  }
}
