import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import type { JsonObject } from '../../common/json.js';
import type { Transaction } from '../../database/transaction.js';
import { AnalysisPiece } from './analysis-piece.entity.js';
import type { AnalysisResult } from './analysis-result.js';
import { MOST_SECONDS } from './analyze-document.job.js';
import { type AnalysisFailure, DocumentAnalysis } from './document-analysis.entity.js';

/**
 * Work that nobody has heard of for so long is put in line again when somebody asks for it. Whoever still works on it has
 * written something before, however slow the model is.
 */
const MOST_SILENT_SECONDS = MOST_SECONDS + 60;

/** An analysis as somebody works on it. */
export interface AnalysisClaim {
  analysisId: string;
  attempt: number;
}

@Injectable()
export class AnalysisRepository {
  /** Keeps the content from being removed until `tx` ends. False: it is gone. */
  async holdContent(tx: Transaction, contentId: string): Promise<boolean> {
    const rows = await tx.query(
      'SELECT FROM document_content WHERE company_id = $1 AND id = $2 FOR KEY SHARE',
      [tx.companyId, contentId],
    );
    return rows.length > 0;
  }

  /**
   * Held until `tx` ends. One that has failed begins anew, with what was read of it. `isNew`: it is to be put in line, as
   * nobody has done so.
   */
  async put(
    tx: Transaction,
    { contentId, focus, language }: Pick<DocumentAnalysis, 'contentId' | 'focus' | 'language'>,
  ): Promise<{ analysis: DocumentAnalysis; isNew: boolean }> {
    const kind = [tx.companyId, contentId, focus, language];
    // One that has not failed is held by this as well, and not given.
    const [begun] = await tx.query<{ id: string }>(
      `INSERT INTO document_analysis AS analysis (company_id, content_id, focus, language, id)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (company_id, content_id, focus, language) DO UPDATE SET
         status = 'PENDING', failures = 0, errors = 0, failure = NULL, heard_at = now()
       WHERE analysis.status = 'FAILED'
       RETURNING id`,
      [...kind, newId()],
    );
    const analysis = await tx.selectOne(
      DocumentAnalysis,
      'company_id = $1 AND content_id = $2 AND focus = $3 AND language = $4',
      kind,
    );
    if (!analysis) throw new Error('An analysis that was just stored is gone.');
    return { analysis, isNew: begun !== undefined };
  }

  find(tx: Transaction, id: string): Promise<DocumentAnalysis | null> {
    return tx.selectOne(DocumentAnalysis, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** The same, held until `tx` ends. */
  async findHeld(tx: Transaction, id: string): Promise<DocumentAnalysis | null> {
    await tx.query('SELECT FROM document_analysis WHERE company_id = $1 AND id = $2 FOR UPDATE', [
      tx.companyId,
      id,
    ]);
    return this.find(tx, id);
  }

  /** Whether it has not ended, and nobody was heard of for so long that nobody seems to work on it. */
  async isSilent(tx: Transaction, id: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM document_analysis WHERE company_id = $1 AND id = $2
         AND status IN ('PENDING', 'RUNNING') AND heard_at < now() - make_interval(secs => $3)`,
      [tx.companyId, id, MOST_SILENT_SECONDS],
    );
    return rows.length > 0;
  }

  /**
   * For a new attempt. One before that has not let go of it was never heard of again, which counts as an error. Null: it
   * has ended, or is gone.
   */
  async claim(tx: Transaction, id: string): Promise<DocumentAnalysis | null> {
    const rows = await tx.query(
      `UPDATE document_analysis SET attempt = attempt + 1, status = 'RUNNING', heard_at = now(),
         errors = errors + CASE status WHEN 'RUNNING' THEN 1 ELSE 0 END
       WHERE company_id = $1 AND id = $2 AND status IN ('PENDING', 'RUNNING') RETURNING id`,
      [tx.companyId, id],
    );
    return rows.length > 0 ? this.find(tx, id) : null;
  }

  /** Keeps it from others until `tx` ends. False: another attempt has it, or it is gone. */
  async hold(tx: Transaction, { analysisId, attempt }: AnalysisClaim): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE document_analysis SET heard_at = now()
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'RUNNING' RETURNING id`,
      [tx.companyId, analysisId, attempt],
    );
    return rows.length > 0;
  }

  /** Of one that is held: it is left to a later attempt, after so many errors. */
  async release(tx: Transaction, id: string, errors: number): Promise<void> {
    await tx.query(
      `UPDATE document_analysis SET status = 'PENDING', errors = $3 WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, errors],
    );
  }

  /** Of one that is held. It never falls back. */
  async advance(tx: Transaction, id: string, progress: number): Promise<void> {
    await tx.query(
      `UPDATE document_analysis SET progress = greatest(progress, $3), failures = 0
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, progress],
    );
  }

  /** Of one that is held: once more in a row the model could not be reached. Gives how often. */
  async countFailure(tx: Transaction, id: string): Promise<number> {
    const [row] = await tx.query<{ failures: number }>(
      `UPDATE document_analysis SET failures = failures + 1
       WHERE company_id = $1 AND id = $2 RETURNING failures`,
      [tx.companyId, id],
    );
    return row?.failures ?? 0;
  }

  /** Of one that is held. */
  async complete(tx: Transaction, id: string, result: AnalysisResult): Promise<void> {
    await tx.query(
      `UPDATE document_analysis SET status = 'COMPLETED', progress = 1, result = $3
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, JSON.stringify(result)],
    );
    await tx.query('DELETE FROM analysis_piece WHERE company_id = $1 AND analysis_id = $2', [
      tx.companyId,
      id,
    ]);
  }

  /** Of one that is held. What was read stays, for who asks again. */
  async fail(tx: Transaction, id: string, failure: AnalysisFailure): Promise<void> {
    await tx.query(
      `UPDATE document_analysis SET status = 'FAILED', failure = $3 WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, failure],
    );
    // What the model could not make anything of gets another chance then.
    await tx.query(
      `UPDATE analysis_piece SET failures = 0 WHERE company_id = $1 AND analysis_id = $2 AND findings IS NULL`,
      [tx.companyId, id],
    );
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query('DELETE FROM document_analysis WHERE company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Of one that is held: what a level is made of. */
  async plan(
    tx: Transaction,
    id: string,
    level: number,
    parts: readonly { first: number; last: number }[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO analysis_piece (company_id, analysis_id, level, ordinal, first_part, last_part)
       SELECT $1, $2, $3, planned.at - 1, planned.first_part, planned.last_part
       FROM unnest($4::int[], $5::int[]) WITH ORDINALITY AS planned (first_part, last_part, at)
       ON CONFLICT DO NOTHING`,
      [tx.companyId, id, level, parts.map(({ first }) => first), parts.map(({ last }) => last)],
    );
  }

  /** How many pages the document has; null: none. */
  async countPages(tx: Transaction, contentId: string): Promise<number | null> {
    const [row] = await tx.query<{ pages: number | null }>(
      'SELECT pages FROM document_content WHERE company_id = $1 AND id = $2',
      [tx.companyId, contentId],
    );
    return row?.pages ?? null;
  }

  /** Of all levels, in order. */
  listPieces(tx: Transaction, id: string): Promise<AnalysisPiece[]> {
    return tx.select(AnalysisPiece, 'company_id = $1 AND analysis_id = $2 ORDER BY level, ordinal', [
      tx.companyId,
      id,
    ]);
  }

  /** What was found in a piece; null: nothing that could be used, once more. */
  async storePiece(
    tx: Transaction,
    id: string,
    { level, ordinal }: Pick<AnalysisPiece, 'level' | 'ordinal'>,
    findings: JsonObject | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE analysis_piece SET findings = $5::jsonb, failures = failures + $6
       WHERE company_id = $1 AND analysis_id = $2 AND level = $3 AND ordinal = $4`,
      [
        tx.companyId,
        id,
        level,
        ordinal,
        findings === null ? null : JSON.stringify(findings),
        findings === null ? 1 : 0,
      ],
    );
  }
}
