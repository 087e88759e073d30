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

  /** Newest first. */
  listNewest(tx: Transaction, limit: number): Promise<NamedDocument[]> {
    return tx.query(`${NAMED} ORDER BY document.id DESC LIMIT $2`, [tx.companyId, limit]);
  }

  /** Those whose names, without accents, fit all `patterns`: of more than `limit` the shortest names. Newest first. */
  listNamed(tx: Transaction, patterns: readonly string[], limit: number): Promise<NamedDocument[]> {
    return tx.query(
      // The name that is meant exactly is among the shortest that have its words in them, however many more there are.
      `SELECT * FROM (
         ${NAMED} AND regexp_replace(normalize(document.name, NFKD), '[\\u0300-\\u036f]', '', 'g') ILIKE ALL ($2::text[])
         ORDER BY length(document.name), document.id DESC LIMIT $3) named
       ORDER BY id DESC`,
      [tx.companyId, patterns, limit],
    );
  }
}
