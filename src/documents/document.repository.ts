import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/schema/page.js';
import { newestFirst, readPage } from '../database/keyset.js';
import type { Transaction } from '../database/transaction.js';
import type { DocumentView } from './document-view.js';
import { Document } from './document.entity.js';

export const documentOrder = newestFirst('documents');

/** In one statement: between two of them the content could go. */
const VIEWS = `
  SELECT document.company_id AS "companyId", document.id, document.member_id AS "memberId", document.name,
    document.content_id AS "contentId", document.created_at AS "createdAt", content.storage_key AS "storageKey",
    COALESCE(content.media_type, document.media_type) AS "mediaType",
    COALESCE(content.bytes, document.bytes) AS bytes,
    COALESCE(content.status, CASE WHEN document.upload_error IS NULL THEN 'PENDING' ELSE 'FAILED' END) AS status,
    COALESCE(content.error, document.upload_error) AS error,
    COALESCE(content.warnings, '[]') AS warnings,
    content.pages,
    CASE content.status WHEN 'COMPLETED' THEN content.passage_count END AS passages,
    CASE content.status WHEN 'COMPLETED' THEN content.language END AS language,
    COALESCE(content.progress, 0) AS progress
  FROM document LEFT JOIN document_content AS content
    ON content.company_id = $1 AND content.id = document.content_id
  WHERE document.company_id = $1`;

@Injectable()
export class DocumentRepository {
  async insert(tx: Transaction, document: Document): Promise<void> {
    await tx.repository(Document).insert(document);
  }

  find(tx: Transaction, id: string): Promise<Document | null> {
    return tx.selectOne(Document, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** In no order; without those that there are none of. */
  findViews(tx: Transaction, ids: readonly string[]): Promise<DocumentView[]> {
    return tx.query(`${VIEWS} AND document.id = ANY ($2)`, [tx.companyId, ids]);
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<Document>> {
    const query = tx.repository(Document).createQueryBuilder('document').where({ companyId: tx.companyId });
    return readPage(query, documentOrder, request);
  }

  /** The first `limit` of a member's whose ids come after `after`, in the order of their ids. */
  listViewsOf(
    tx: Transaction,
    memberId: string,
    after: string | null,
    limit: number,
  ): Promise<DocumentView[]> {
    return tx.query(
      `${VIEWS} AND document.member_id = $2 AND ($3::uuid IS NULL OR document.id > $3)
       ORDER BY document.id LIMIT $4`,
      [tx.companyId, memberId, after, limit],
    );
  }

  /** How many of `ids` there are. */
  async count(tx: Transaction, ids: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM document WHERE company_id = $1 AND id = ANY ($2)',
      [tx.companyId, ids],
    );
    return row?.count ?? 0;
  }

  /** Whether any document is COMPLETED. Looks at one entry of an index. */
  async hasCompleted(tx: Transaction): Promise<boolean> {
    const [row] = await tx.query<{ has: boolean }>(
      `SELECT EXISTS (SELECT FROM document_content WHERE company_id = $1 AND status = 'COMPLETED') AS has`,
      [tx.companyId],
    );
    return row?.has ?? false;
  }

  /** Whether any document has this content. */
  async hasContent(tx: Transaction, contentId: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM document WHERE company_id = $1 AND content_id = $2 LIMIT 1', [
      tx.companyId,
      contentId,
    ]);
    return rows.length > 0;
  }

  /** Its bytes have come. False: it is gone, or was given up. */
  async link(tx: Transaction, id: string, contentId: string): Promise<boolean> {
    const linked = await tx.query(
      `UPDATE document SET content_id = $3
       WHERE company_id = $1 AND id = $2 AND content_id IS NULL AND upload_error IS NULL RETURNING id`,
      [tx.companyId, id, contentId],
    );
    return linked.length > 0;
  }

  /** False: it is gone, or has another content by now. */
  async delete(tx: Transaction, { id, contentId }: Pick<Document, 'id' | 'contentId'>): Promise<boolean> {
    const deleted = await tx.query(
      `DELETE FROM document
       WHERE company_id = $1 AND id = $2 AND content_id IS NOT DISTINCT FROM $3 RETURNING id`,
      [tx.companyId, id, contentId],
    );
    return deleted.length > 0;
  }

  /** What a member uploaded is somebody else's from now on. */
  async give(tx: Transaction, memberId: string, to: string): Promise<void> {
    await tx.query('UPDATE document SET member_id = $3 WHERE company_id = $1 AND member_id = $2', [
      tx.companyId,
      memberId,
      to,
    ]);
  }

  /**
   * In a system transaction: gives up those of all companies that have waited for their bytes since `before`; at most
   * `limit`.
   */
  giveUp(
    tx: Transaction,
    { before, error, limit }: { before: Date; error: string; limit: number },
  ): Promise<Pick<Document, 'companyId' | 'id'>[]> {
    return tx.query(
      `UPDATE document SET upload_error = $2
       WHERE (company_id, id) IN (
         SELECT company_id, id FROM document
         WHERE content_id IS NULL AND upload_error IS NULL AND created_at < $1 LIMIT $3)
         AND content_id IS NULL AND upload_error IS NULL
       RETURNING company_id AS "companyId", id`,
      [before, error, limit],
    );
  }
}
