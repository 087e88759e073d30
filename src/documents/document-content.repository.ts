import { Injectable } from '@nestjs/common';

import type { Transaction } from '../database/transaction.js';
import { DocumentContent } from './document-content.entity.js';

/** A company may have hundreds of thousands. Beyond it, what waits is in the order in which it came. */
const MOST_LOOKED_AT = 1_000;

/** Whoever holds a content's row decides what becomes of it: always taken before rows of documents and of passages. */
@Injectable()
export class DocumentContentRepository {
  find(tx: Transaction, id: string): Promise<DocumentContent | null> {
    return tx.selectOne(DocumentContent, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Holds it until the transaction ends. */
  async hold(tx: Transaction, id: string): Promise<DocumentContent | null> {
    const [content] = await tx.select(DocumentContent, 'company_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      id,
    ]);
    return content ?? null;
  }

  /** Holds the one of these bytes, if there is one, until the transaction ends. */
  async holdBySha256(tx: Transaction, sha256: string): Promise<DocumentContent | null> {
    const [content] = await tx.select(DocumentContent, 'company_id = $1 AND sha256 = $2 FOR NO KEY UPDATE', [
      tx.companyId,
      sha256,
    ]);
    return content ?? null;
  }

  /** False: somebody else was first with the same bytes, and has committed. */
  async insert(tx: Transaction, { id, sha256, bytes, storageKey, name }: NewContent): Promise<boolean> {
    const inserted = await tx.query(
      `INSERT INTO document_content (company_id, id, sha256, bytes, storage_key, name)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (company_id, sha256) DO NOTHING RETURNING id`,
      [tx.companyId, id, sha256, bytes, storageKey, name],
    );
    return inserted.length > 0;
  }

  /** Has a content that failed begin anew, with bytes that have come again. */
  async renew(
    tx: Transaction,
    id: string,
    { storageKey, name }: Pick<NewContent, 'storageKey' | 'name'>,
  ): Promise<void> {
    await tx.query(
      `UPDATE document_content
       SET storage_key = $3, name = $4, status = 'PENDING', attempt = attempt + 1, failures = 0, progress = 0,
         error = NULL, warnings = '[]', media_type = NULL, pages = NULL
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, storageKey, name],
    );
  }

  /** How many others of the company wait or are being read, as far as its newest tell. */
  async countWaiting(tx: Transaction, id: string): Promise<number> {
    const [row] = await tx.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (
         SELECT status FROM document_content WHERE company_id = $1 AND id <> $2 ORDER BY id DESC LIMIT $3) newest
       WHERE status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId, id, MOST_LOOKED_AT],
    );
    return row?.waiting ?? 0;
  }

  /** Whether a content has its bytes there. */
  async usesKey(tx: Transaction, storageKey: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM document_content WHERE company_id = $1 AND storage_key = $2', [
      tx.companyId,
      storageKey,
    ]);
    return rows.length > 0;
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM document_content WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }
}

export type NewContent = Pick<DocumentContent, 'id' | 'sha256' | 'bytes' | 'storageKey' | 'name'>;
