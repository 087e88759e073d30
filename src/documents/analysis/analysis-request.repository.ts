import { Injectable } from '@nestjs/common';

import type { Transaction } from '../../database/transaction.js';
import { AnalysisRequest } from './analysis-request.entity.js';

export type NewAnalysisRequest = Omit<AnalysisRequest, 'companyId' | 'isToTell' | 'isRefused' | 'createdAt'>;

@Injectable()
export class AnalysisRequestRepository {
  /** The turn waits for it, whether it has before or not. */
  async put(tx: Transaction, request: NewAnalysisRequest): Promise<void> {
    await tx.query(
      `INSERT INTO analysis_request (company_id, analysis_id, turn_id, member_id, assistant, document_name)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (company_id, analysis_id, turn_id) DO UPDATE SET is_to_tell = false, is_refused = false`,
      [
        tx.companyId,
        request.analysisId,
        request.turnId,
        request.memberId,
        request.assistant,
        request.documentName,
      ],
    );
  }

  /** The turn waits no longer: its member is to be told. */
  async leave(tx: Transaction, analysisId: string, turnId: string): Promise<void> {
    await tx.query(
      `UPDATE analysis_request SET is_to_tell = true
       WHERE company_id = $1 AND analysis_id = $2 AND turn_id = $3`,
      [tx.companyId, analysisId, turnId],
    );
  }

  /** What was granted to the member is used up: it is neither counted for nor told to them any more. */
  async refuse(tx: Transaction, analysisId: string, memberId: string): Promise<void> {
    await tx.query(
      `UPDATE analysis_request SET is_refused = true
       WHERE company_id = $1 AND analysis_id = $2 AND member_id = $3`,
      [tx.companyId, analysisId, memberId],
    );
  }

  async isRefused(tx: Transaction, analysisId: string, turnId: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM analysis_request
       WHERE company_id = $1 AND analysis_id = $2 AND turn_id = $3 AND is_refused`,
      [tx.companyId, analysisId, turnId],
    );
    return rows.length > 0;
  }

  /** Those that were not refused: who asked first comes first. */
  list(tx: Transaction, analysisId: string): Promise<AnalysisRequest[]> {
    return tx.select(
      AnalysisRequest,
      'company_id = $1 AND analysis_id = $2 AND NOT is_refused ORDER BY created_at, turn_id',
      [tx.companyId, analysisId],
    );
  }

  async removeAll(tx: Transaction, analysisId: string): Promise<void> {
    await tx.query('DELETE FROM analysis_request WHERE company_id = $1 AND analysis_id = $2', [
      tx.companyId,
      analysisId,
    ]);
  }
}
