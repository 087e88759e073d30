import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { DocumentContent } from '../document-content.entity.js';

/** One attempt at processing a content: all that it writes is refused once there is a later one. */
export type Attempt = Pick<DocumentContent, 'id' | 'attempt'>;

/** What is known of a content when its end has been reached. */
export type ReadContent = Pick<DocumentContent, 'mediaType' | 'pages' | 'language' | 'warnings'>;

@Injectable()
export class AttemptRepository {
  /**
   * Begins another attempt; null: the content is gone, or done with. The one before that has neither failed nor given up
   * was never heard of again, which counts as a failure.
   */
  async begin(tx: Transaction, id: string): Promise<DocumentContent | null> {
    const begun = await tx.query(
      `UPDATE document_content
       SET attempt = attempt + 1, failures = failures + CASE status WHEN 'PROCESSING' THEN 1 ELSE 0 END,
         status = 'PROCESSING'
       WHERE company_id = $1 AND id = $2 AND status IN ('PENDING', 'PROCESSING') RETURNING id`,
      [tx.companyId, id],
    );
    if (begun.length === 0) return null;
    return tx.selectOne(DocumentContent, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Null: there is a later one, or the content is done with, or gone. */
  async find(tx: Transaction, { id, attempt }: Attempt): Promise<DocumentContent | null> {
    return tx.selectOne(DocumentContent, 'company_id = $1 AND id = $2 AND attempt = $3', [
      tx.companyId,
      id,
      attempt,
    ]);
  }

  /** Counts passages on from `from`, and holds the content. False: nothing has changed. */
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

  /** False: nothing has changed. */
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

  /** False: nothing has changed. */
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

  /** Leaves it to a later attempt. False: nothing has changed. */
  release(tx: Transaction, { id, attempt }: Attempt, { failures }: { failures: number }): Promise<boolean> {
    return changed(
      tx,
      `UPDATE document_content SET status = 'PENDING', failures = $4
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'PROCESSING' RETURNING id`,
      [tx.companyId, id, attempt, failures],
    );
  }
}

const changed = async (tx: Transaction, sql: string, values: unknown[]): Promise<boolean> =>
  (await tx.query(sql, values)).length > 0;
