import { Injectable } from '@nestjs/common';

import type { Page, PageRequest } from '../common/schema/page.js';
import { awaitAll } from '../platform/database/await-all.js';
import { newestFirst, readPage } from '../platform/database/keyset.js';
import type { Transaction } from '../platform/database/transaction.js';
import { DocumentTotal } from './document-total.entity.js';
import type { DocumentView } from './document-view.js';
import { Document } from './document.entity.js';

export const documentOrder = newestFirst('documents');

/** A single statement, as the content could be deleted between two. */
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

/** SQL: the bytes that a document uses or has reserved. */
const TAKEN = 'CASE WHEN document.upload_error IS NULL THEN document.bytes ELSE 0 END';

/** The subject of the company's total; other subjects are member ids. */
export const COMPANY = 'COMPANY';

export interface Stored {
  documents: number;
  bytes: number;
}

/**
 * SQL, the last part of a statement that changes documents: adds the rows of `changes` (company_id, member_id, documents,
 * bytes) to the totals of company and member. Totals are locked after documents, until the transaction ends.
 */
function addToTotals(changes: string): string {
  return `
  INSERT INTO document_total AS total (company_id, subject, documents, bytes)
  SELECT company_id, subject, sum(documents), sum(bytes)
  FROM ${changes}, LATERAL (VALUES ('${COMPANY}'), (member_id::text)) AS whose (subject)
  GROUP BY 1, 2
  -- In the same order everywhere, or two statements would deadlock.
  ORDER BY 1, 2
  ON CONFLICT (company_id, subject) DO UPDATE SET
    documents = total.documents + excluded.documents, bytes = total.bytes + excluded.bytes`;
}

/** Documents and their totals. Every change to documents updates the totals in the same statement. */
@Injectable()
export class DocumentRepository {
  async insert(tx: Transaction, document: Document): Promise<void> {
    await tx.query(
      `WITH added AS (
         INSERT INTO document (company_id, id, member_id, name, media_type, bytes, content_id, upload_error, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         RETURNING company_id, member_id, 1 AS documents, ${TAKEN} AS bytes)
       ${addToTotals('added')}`,
      [
        tx.companyId,
        document.id,
        document.memberId,
        document.name,
        document.mediaType,
        document.bytes,
        document.contentId,
        document.uploadError,
        document.createdAt,
      ],
    );
  }

  find(tx: Transaction, id: string): Promise<Document | null> {
    return tx.find(Document, { id });
  }

  /** In no order; unknown ids are left out. */
  findViews(tx: Transaction, ids: readonly string[]): Promise<DocumentView[]> {
    return tx.query(`${VIEWS} AND document.id = ANY ($2)`, [tx.companyId, ids]);
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<Document>> {
    const query = tx.repository(Document).createQueryBuilder('document').where({ companyId: tx.companyId });
    return readPage(query, documentOrder, request);
  }

  /** The first `limit` documents of a member with ids after `after`, in the order of their ids. */
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

  /** Whether any document is COMPLETED. Reads one index entry. */
  async hasCompleted(tx: Transaction): Promise<boolean> {
    const row = await tx.one<{ has: boolean }>(
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

  /** Links a document to its content after its bytes arrived, maybe fewer than announced. False: gone, or given up. */
  async link(tx: Transaction, id: string, content: { id: string; bytes: number }): Promise<boolean> {
    const linked = await tx.query(
      `WITH awaited AS (
         SELECT id, bytes FROM document
         WHERE company_id = $1 AND id = $2 AND content_id IS NULL AND upload_error IS NULL FOR UPDATE),
       linked AS (
         UPDATE document SET content_id = $3, bytes = $4 FROM awaited
         WHERE document.company_id = $1 AND document.id = awaited.id
         RETURNING document.company_id, document.member_id, 0 AS documents, document.bytes - awaited.bytes AS bytes)
       ${addToTotals('linked')} RETURNING subject`,
      [tx.companyId, id, content.id, content.bytes],
    );
    return linked.length > 0;
  }

  /** False: it is gone, or has another content now. */
  async delete(tx: Transaction, { id, contentId }: Pick<Document, 'id' | 'contentId'>): Promise<boolean> {
    const deleted = await tx.query(
      `WITH deleted AS (
         DELETE FROM document WHERE company_id = $1 AND id = $2 AND content_id IS NOT DISTINCT FROM $3
         RETURNING company_id, member_id, -1 AS documents, -(${TAKEN}) AS bytes)
       ${addToTotals('deleted')} RETURNING subject`,
      [tx.companyId, id, contentId],
    );
    return deleted.length > 0;
  }

  /** Reassigns a member's documents and their totals to somebody else. */
  async reassign(tx: Transaction, memberId: string, to: string): Promise<void> {
    await awaitAll([
      tx.query('UPDATE document SET member_id = $3 WHERE company_id = $1 AND member_id = $2', [
        tx.companyId,
        memberId,
        to,
      ]),
      tx.query(
        `WITH given AS (DELETE FROM document_total WHERE company_id = $1 AND subject = $2 RETURNING *)
         INSERT INTO document_total AS total (company_id, subject, documents, bytes)
         SELECT company_id, $3, documents, bytes FROM given
         ON CONFLICT (company_id, subject) DO UPDATE SET
           documents = total.documents + excluded.documents, bytes = total.bytes + excluded.bytes`,
        [tx.companyId, memberId, to],
      ),
    ]);
  }

  /** The total of a member (by id) or of the company (COMPANY). */
  async findTotal(tx: Transaction, subject: string): Promise<Stored> {
    const total = await tx.find(DocumentTotal, { subject });
    return { documents: total?.documents ?? 0, bytes: Number(total?.bytes ?? 0) };
  }

  /**
   * Gives up documents of all companies, at most `limit`, whose bytes have not arrived since `before`. Needs a system
   * transaction.
   */
  giveUp(
    tx: Transaction,
    { before, error, limit }: { before: Date; error: string; limit: number },
  ): Promise<Pick<Document, 'companyId' | 'id'>[]> {
    return tx.query(
      `WITH given AS (
         UPDATE document SET upload_error = $2
         WHERE (company_id, id) IN (
           SELECT company_id, id FROM document
           WHERE content_id IS NULL AND upload_error IS NULL AND created_at < $1 LIMIT $3)
           AND content_id IS NULL AND upload_error IS NULL
         RETURNING company_id, id, member_id, 0 AS documents, -bytes AS bytes),
       counted AS (${addToTotals('given')})
       SELECT company_id AS "companyId", id FROM given`,
      [before, error, limit],
    );
  }

  /** Newest first. */
  listNewestViews(tx: Transaction, limit: number): Promise<DocumentView[]> {
    return tx.query(`${VIEWS} ORDER BY document.id DESC LIMIT $2`, [tx.companyId, limit]);
  }

  /** Documents whose names, without accents, match all `patterns`; the `limit` shortest names. Newest first. */
  listViewsNamedLike(tx: Transaction, patterns: readonly string[], limit: number): Promise<DocumentView[]> {
    return tx.query(
      // The exact name is among the shortest names that contain its words.
      `SELECT * FROM (
         ${VIEWS} AND regexp_replace(normalize(document.name, NFKD), '[\\u0300-\\u036f]', '', 'g') ILIKE ALL ($2::text[])
         ORDER BY length(document.name), document.id DESC LIMIT $3) named
       ORDER BY id DESC`,
      [tx.companyId, patterns, limit],
    );
  }
}
