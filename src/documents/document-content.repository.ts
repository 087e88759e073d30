import { Injectable } from '@nestjs/common';

import type { Transaction } from '../platform/database/transaction.js';
import { DocumentContent } from './document-content.entity.js';

/** Only this many contents are counted: a company may have hundreds of thousands. */
const MAX_LOOKED_AT = 1_000;

/** One attempt at processing a content. Its writes are refused once there is a later one. */
type Attempt = Pick<DocumentContent, 'id' | 'attempt'>;

/** What is known of a content after it was read to the end. */
export type ReadContent = Pick<DocumentContent, 'mediaType' | 'pages' | 'language' | 'warnings'>;

/** Contents. The lock on a content's row is always taken before those on documents and passages. */
@Injectable()
export class DocumentContentRepository {
  find(tx: Transaction, id: string): Promise<DocumentContent | null> {
    return tx.find(DocumentContent, { id });
  }

  /** Locks it until the transaction ends. */
  async hold(tx: Transaction, id: string): Promise<DocumentContent | null> {
    const [content] = await tx.list(DocumentContent, { id }, 'FOR NO KEY UPDATE');
    return content ?? null;
  }

  /** Locks the content with this digest, if it exists, until the transaction ends. */
  async holdBySha256(tx: Transaction, sha256: string): Promise<DocumentContent | null> {
    const [content] = await tx.list(DocumentContent, { sha256 }, 'FOR NO KEY UPDATE');
    return content ?? null;
  }

  /** False: another transaction has committed the same bytes first. */
  insert(tx: Transaction, { id, sha256, bytes, storageKey, name }: NewContent): Promise<boolean> {
    const content = { id, sha256, bytes, storageKey, name };
    return tx.insert(DocumentContent, content, 'ON CONFLICT (company_id, sha256) DO NOTHING');
  }

  /** Restarts a failed content with bytes that were uploaded again. */
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

  /** How many of the company's newest other contents wait or are being processed. */
  async countWaiting(tx: Transaction, id: string): Promise<number> {
    const [row] = await tx.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (
         SELECT status FROM document_content WHERE company_id = $1 AND id <> $2 ORDER BY id DESC LIMIT $3) newest
       WHERE status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId, id, MAX_LOOKED_AT],
    );
    return row?.waiting ?? 0;
  }

  /** Whether any content's bytes are stored under the key. */
  async usesKey(tx: Transaction, storageKey: string): Promise<boolean> {
    const rows = await tx.query('SELECT FROM document_content WHERE company_id = $1 AND storage_key = $2', [
      tx.companyId,
      storageKey,
    ]);
    return rows.length > 0;
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.delete(DocumentContent, { id });
  }

  /**
   * Begins another attempt. An earlier attempt that never reported back counts as a failure. Null: the content is gone or
   * finished.
   */
  async beginAttempt(tx: Transaction, id: string): Promise<DocumentContent | null> {
    const begun = await tx.query(
      `UPDATE document_content
       SET attempt = attempt + 1, failures = failures + CASE status WHEN 'PROCESSING' THEN 1 ELSE 0 END,
         status = 'PROCESSING'
       WHERE company_id = $1 AND id = $2 AND status IN ('PENDING', 'PROCESSING') RETURNING id`,
      [tx.companyId, id],
    );
    if (begun.length === 0) return null;
    return tx.find(DocumentContent, { id });
  }

  /** Unfinished contents. */
  async listUnfinished(tx: Transaction): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM document_content WHERE company_id = $1 AND status IN ('PENDING', 'PROCESSING')`,
      [tx.companyId],
    );
    return rows.map(({ id }) => id);
  }

  /** Null: there is a later attempt, or the content is gone. */
  async findAttempt(tx: Transaction, { id, attempt }: Attempt): Promise<DocumentContent | null> {
    return tx.find(DocumentContent, { id, attempt });
  }

  /** Raises the passage count from `from` to `to`, and locks the content. False: the attempt or count has changed. */
  advance(
    tx: Transaction,
    { id, attempt }: Attempt,
    { from, to, progress }: { from: number; to: number; progress: number },
  ): Promise<boolean> {
    return changed(
      tx,
      `UPDATE document_content SET passage_count = $5, progress = GREATEST(progress, $6)
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' AND passage_count = $4
       RETURNING id`,
      [tx.companyId, id, attempt, from, to, progress],
    );
  }

  /** False: another attempt has the content, or it is not being processed. */
  complete(
    tx: Transaction,
    { id, attempt }: Attempt,
    { mediaType, pages, language, warnings }: ReadContent,
  ): Promise<boolean> {
    return changed(
      tx,
      `UPDATE document_content
       SET status = 'COMPLETED', progress = 1, error = NULL, media_type = $4, pages = $5, language = $6, warnings = $7
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' RETURNING id`,
      [tx.companyId, id, attempt, mediaType, pages, language, JSON.stringify(warnings)],
    );
  }

  /** False: another attempt has the content, or it is not being processed. */
  fail(
    tx: Transaction,
    { id, attempt }: Attempt,
    { error, mediaType, pages, warnings }: { error: string } & Omit<ReadContent, 'language'>,
  ): Promise<boolean> {
    return changed(
      tx,
      `UPDATE document_content
       SET status = 'FAILED', passage_count = 0, error = $4, media_type = $5, pages = $6, warnings = $7
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' RETURNING id`,
      [tx.companyId, id, attempt, error, mediaType, pages, JSON.stringify(warnings)],
    );
  }

  /** Leaves it to a later attempt. False: another attempt has it already, or it is not being processed. */
  release(tx: Transaction, { id, attempt }: Attempt, { failures }: { failures: number }): Promise<boolean> {
    return changed(
      tx,
      `UPDATE document_content SET status = 'PENDING', failures = $4
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' RETURNING id`,
      [tx.companyId, id, attempt, failures],
    );
  }
}

type NewContent = Pick<DocumentContent, 'id' | 'sha256' | 'bytes' | 'storageKey' | 'name'>;

async function changed(tx: Transaction, sql: string, values: unknown[]): Promise<boolean> {
  return (await tx.query(sql, values)).length > 0;
}
