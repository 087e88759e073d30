import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CompanyRow } from '../platform/database/rows.js';
import { NIL_ID } from '../common/ids.js';
import type { Page, PageRequest } from '../common/schema/page.js';
import { awaitAll, type Transaction } from '../platform/database/transaction.js';
import { newestFirst, readPage } from '../platform/database/keyset.js';
import type { DocumentRemark } from './document-remark.js';
import { Document, type DocumentScope } from './document.entity.js';
import { type DocumentView, VIEWS } from './document-view.js';

/** The number and total size of the documents of a company or a member, updated with every change. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class DocumentTotal extends CompanyRow {
  /** COMPANY, or a member's id. */
  @PrimaryColumn('text')
  subject!: string;

  @Column('integer', { default: 0 })
  documents!: number;

  /** Bytes that have arrived or were announced. As text, like every bigint. */
  @Column('bigint', { default: 0 })
  bytes!: string;
}

export const documentOrder = newestFirst('documents');

/** Finds no private documents. */
const NO_ATTACHMENTS: readonly string[] = [];

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
         INSERT INTO document (company_id, id, member_id, name, media_type, bytes, content_id, upload_error, created_at,
           attachment_id, kind, scope, conversation_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
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
        document.attachmentId,
        document.kind,
        document.scope,
        document.conversationId,
      ],
    );
  }

  find(tx: Transaction, id: string): Promise<Document | null> {
    return tx.find(Document, { id });
  }

  /**
   * The company's documents among these, and those in `attached`, in no order, without unknown ids. The caller has
   * checked the owner of `attached`.
   */
  findViews(tx: Transaction, ids: readonly string[], attached = NO_ATTACHMENTS): Promise<DocumentView[]> {
    return tx.query(
      `${VIEWS} AND document.id = ANY ($2) AND (document.scope = 'COMPANY' OR document.id = ANY ($3))`,
      [tx.companyId, ids, attached],
    );
  }

  /** The document as the member sees it: the company's, or their own. */
  async findViewFor(tx: Transaction, memberId: string, id: string): Promise<DocumentView | null> {
    const [view] = await tx.query<DocumentView>(
      `${VIEWS} AND document.id = $2 AND (document.scope = 'COMPANY' OR document.member_id = $3)`,
      [tx.companyId, id, memberId],
    );
    return view ?? null;
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<Document>> {
    const query = tx
      .repository(Document)
      .createQueryBuilder('document')
      .where({ companyId: tx.companyId, scope: 'COMPANY' satisfies DocumentScope });
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

  /**
   * Whether any document of the company is COMPLETED, and whether anything is attached to the conversation. Reads one index
   * entry of each.
   */
  async whatIsThere(
    tx: Transaction,
    conversationId: string,
  ): Promise<{ documents: boolean; attachments: boolean }> {
    const row = await tx.one<{ documents: boolean; attachments: boolean }>(
      `SELECT EXISTS (SELECT FROM document_content WHERE company_id = $1 AND owner_id = $2 AND status = 'COMPLETED')
           AS documents,
         EXISTS (SELECT FROM document WHERE company_id = $1 AND conversation_id = $3) AS attachments`,
      [tx.companyId, NIL_ID, conversationId],
    );
    return row ?? { documents: false, attachments: false };
  }

  async hasContent(tx: Transaction, contentId: string): Promise<boolean> {
    return tx.any('SELECT FROM document WHERE company_id = $1 AND content_id = $2 LIMIT 1', [
      tx.companyId,
      contentId,
    ]);
  }

  /** Links a document to its content after its bytes arrived, maybe fewer than announced. False: gone, or given up. */
  async link(tx: Transaction, id: string, content: { id: string; bytes: number }): Promise<boolean> {
    return tx.any(
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
  }

  /** False: it is gone, or has another content or conversation now. */
  async delete(
    tx: Transaction,
    { id, contentId, conversationId }: Pick<Document, 'id' | 'contentId' | 'conversationId'>,
  ): Promise<boolean> {
    return tx.any(
      `WITH deleted AS (
         DELETE FROM document WHERE company_id = $1 AND id = $2 AND content_id IS NOT DISTINCT FROM $3
           AND conversation_id IS NOT DISTINCT FROM $4
         RETURNING company_id, member_id, -1 AS documents, -(${TAKEN}) AS bytes)
       ${addToTotals('deleted')} RETURNING subject`,
      [tx.companyId, id, contentId, conversationId],
    );
  }

  /** In the order in which their contents are to be locked. */
  listAttachedTo(tx: Transaction, conversationId: string): Promise<Document[]> {
    return tx.list(Document, { conversationId, scope: 'CONVERSATION' }, 'ORDER BY content_id, id');
  }

  /**
   * Attachments of the member, or (null) of anybody, in the lock order of contents. `unusedSince`: only those
   * announced before that and never used in a question.
   */
  listAttachedBy(
    tx: Transaction,
    memberId: string | null,
    limit: number,
    unusedSince?: Date,
  ): Promise<Document[]> {
    return tx.select(
      Document,
      `company_id = $1 AND scope = 'CONVERSATION' AND ($2::uuid IS NULL OR member_id = $2)
         AND ($3::timestamptz IS NULL OR conversation_id IS NULL AND created_at < $3)
       ORDER BY content_id, id LIMIT $4`,
      [tx.companyId, memberId, unusedSince ?? null, limit],
    );
  }

  /** At most `limit` companies with unused attachments announced before that. Needs a system transaction. */
  async listCompaniesWithUnused(tx: Transaction, before: Date, limit: number): Promise<string[]> {
    return tx.ids(
      `SELECT DISTINCT company_id AS id FROM document
       WHERE scope = 'CONVERSATION' AND conversation_id IS NULL AND created_at < $1 LIMIT $2`,
      [before, limit],
    );
  }

  /** Attachments that were shared with the company stay after their conversation. */
  async leaveToCompany(tx: Transaction, conversationId: string): Promise<void> {
    const left = { conversationId: null, attachmentId: null };
    await tx.update(Document, { conversationId, scope: 'COMPANY' }, left);
  }

  /** Moves a document to another scope, with its content there. False: it is gone or has changed. */
  async rescope(
    tx: Transaction,
    { id, contentId }: Pick<Document, 'id' | 'contentId'>,
    to: Pick<Document, 'scope' | 'contentId'>,
  ): Promise<boolean> {
    return tx.update(Document, { id, contentId }, { scope: to.scope, contentId: to.contentId });
  }

  /** Stores why the received bytes are unusable. */
  async refuse(tx: Transaction, id: string, error: DocumentRemark['code']): Promise<void> {
    await tx.query(
      `WITH given AS (
         UPDATE document SET upload_error = $3
         WHERE company_id = $1 AND id = $2 AND content_id IS NULL AND upload_error IS NULL
         RETURNING company_id, member_id, 0 AS documents, -bytes AS bytes)
       ${addToTotals('given')}`,
      [tx.companyId, id, error],
    );
  }

  /** Reassigns a member's documents and their totals to somebody else. */
  async reassign(tx: Transaction, memberId: string, to: string): Promise<void> {
    await awaitAll([
      tx.update(Document, { memberId }, { memberId: to }),
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
    { before, error, limit }: { before: Date; error: DocumentRemark['code']; limit: number },
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

  /** The company's newest first. */
  listNewestViews(tx: Transaction, limit: number): Promise<DocumentView[]> {
    return tx.query(`${VIEWS} AND document.scope = 'COMPANY' ORDER BY document.id DESC LIMIT $2`, [
      tx.companyId,
      limit,
    ]);
  }

  /**
   * Documents of the company, and of `attached`, whose names, without accents, match all `patterns`; the `limit` shortest
   * names. Newest first.
   */
  listViewsNamedLike(
    tx: Transaction,
    patterns: readonly string[],
    limit: number,
    attached: readonly string[],
  ): Promise<DocumentView[]> {
    return tx.query(
      // The exact name is among the shortest names that contain its words.
      `SELECT * FROM (
         ${VIEWS} AND regexp_replace(normalize(document.name, NFKD), '[\\u0300-\\u036f]', '', 'g') ILIKE ALL ($2::text[])
           AND (document.scope = 'COMPANY' OR document.id = ANY ($4))
         ORDER BY length(document.name), document.id DESC LIMIT $3) named
       ORDER BY id DESC`,
      [tx.companyId, patterns, limit, attached],
    );
  }
}
