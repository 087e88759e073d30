import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';
import { Injectable } from '@nestjs/common';

import type { AnalysisResult } from './analysis-result.js';
import { CreatedRow, CompanyRow, rowsOf, keyedRowsOf } from '../../platform/database/rows.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MAX_SECONDS } from './analyze-document.job.js';

/** The default analysis: a summary with key figures. */
const SUMMARY = 'SUMMARY';

/** The stored form of an analysis's focus. Null: no package of indicators. */
export function storedFocus(focus: string | null): string {
  return focus?.toUpperCase() ?? SUMMARY;
}

const analysisStatuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
type AnalysisStatus = (typeof analysisStatuses)[number];

/** Why there is no result. INTERNAL: users cannot fix it. */
const analysisFailures = ['NO_TEXT', 'QUOTA', 'MODEL', 'INTERNAL'] as const;
export type AnalysisFailure = (typeof analysisFailures)[number];

/** The analysis of a whole document. Documents with the same bytes share it. */
@Entity()
@Index('document_analysis_kind', ['companyId', 'contentId', 'focus', 'language'], { unique: true })
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class DocumentAnalysis extends CreatedRow {
  @Column('uuid')
  contentId!: string;

  /** See storedFocus. */
  @Column('text')
  focus!: string;

  /** The language of the result, BCP 47. */
  @Column('text')
  language!: string;

  @Column('text', { default: 'PENDING' })
  status!: AnalysisStatus;

  /** The fencing token. Incremented by each attempt; writes of older attempts are refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** Consecutive failures to reach the model. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Attempts that ended with an unexpected error, or never reported back. */
  @Column('integer', { default: 0 })
  errors!: number;

  /** 0 to 1. */
  @Column('double precision', { default: 0 })
  progress!: number;

  @Column('jsonb', { nullable: true })
  result!: AnalysisResult | null;

  /** Null unless FAILED. */
  @Column('text', { nullable: true })
  failure!: AnalysisFailure | null;

  /** The last sign of life of an attempt. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  heardAt!: Date;
}

/**
 * A step of an analysis that is under way. Level 0 reads passages; every further level sums up results of the level below,
 * until one is left.
 */
@Entity()
@ForeignKey('DocumentAnalysis', ['companyId', 'analysisId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class AnalysisPiece extends CompanyRow {
  @PrimaryColumn('uuid')
  analysisId!: string;

  @PrimaryColumn('integer')
  level!: number;

  /** From 0, in the order of the document. */
  @PrimaryColumn('integer')
  ordinal!: number;

  /** The first passage (level 0) or piece of the level below that it covers. */
  @Column('integer')
  firstPart!: number;

  /** The last one, inclusive. */
  @Column('integer')
  lastPart!: number;

  /** How often the model's answer was unusable. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Null: still to be done, or given up. */
  @Column('jsonb', { nullable: true })
  findings!: JsonObject | null;
}

/** Who asked for an analysis in which turn. Decides who pays for it, and who is notified of its end. */
@Entity()
@Index('analysis_request_turn', ['companyId', 'turnId'])
@Index('analysis_request_member', ['companyId', 'memberId'])
@ForeignKey('DocumentAnalysis', ['companyId', 'analysisId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Turn', ['companyId', 'turnId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class AnalysisRequest extends CompanyRow {
  @PrimaryColumn('uuid')
  analysisId!: string;

  @PrimaryColumn('uuid')
  turnId!: string;

  @Column('uuid')
  memberId!: string;

  /** The assistant's key. */
  @Column('text')
  assistant!: string;

  /** The name of the requested document. Empty: private to a conversation. */
  @Column('text')
  documentName!: string;

  /** The turn no longer waits: the member is to be notified of the end. */
  @Column('boolean', { default: false })
  isToTell!: boolean;

  /** The member's quota is used up. The analysis continues for the others. */
  @Column('boolean', { default: false })
  isRefused!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/**
 * An analysis without a sign of life for this long is enqueued again when somebody asks for it. A running attempt writes
 * more often, however slow the model is.
 */
const MAX_SILENT_SECONDS = MAX_SECONDS + 60;

interface AnalysisClaim {
  analysisId: string;
  attempt: number;
}

@Injectable()
export class AnalysisRepository extends rowsOf(DocumentAnalysis) {
  /** Locks the content against removal until `tx` ends. False: it is gone. */
  async holdContent(tx: Transaction, contentId: string): Promise<boolean> {
    return tx.any('SELECT FROM document_content WHERE company_id = $1 AND id = $2 FOR KEY SHARE', [
      tx.companyId,
      contentId,
    ]);
  }

  /**
   * Finds or creates the analysis, locked until `tx` ends. A failed one starts again and keeps what was read. `isNew`: it
   * has to be enqueued.
   */
  async findOrAdd(
    tx: Transaction,
    { contentId, focus, language }: Pick<DocumentAnalysis, 'contentId' | 'focus' | 'language'>,
  ): Promise<{ analysis: DocumentAnalysis; isNew: boolean }> {
    // A conflicting row that has not failed is locked as well, but not returned.
    const [begun] = await tx.query<{ id: string }>(
      `INSERT INTO document_analysis AS analysis (company_id, content_id, focus, language, id)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (company_id, content_id, focus, language) DO UPDATE SET
         status = 'PENDING', failures = 0, errors = 0, failure = NULL, heard_at = now()
       WHERE analysis.status = 'FAILED'
       RETURNING id`,
      [tx.companyId, contentId, focus, language, newId()],
    );
    const analysis = await tx.find(DocumentAnalysis, { contentId, focus, language });
    if (!analysis) throw new Error('An analysis that was just stored is gone.');
    return { analysis, isNew: begun !== undefined };
  }

  async listUnfinished(tx: Transaction): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM document_analysis WHERE company_id = $1 AND status IN ('PENDING', 'RUNNING')`,
      [tx.companyId],
    );
  }

  /** Whether it is unfinished and has had no sign of life for so long that nobody seems to work on it. */
  async isSilent(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(
      `SELECT FROM document_analysis WHERE company_id = $1 AND id = $2
         AND status IN ('PENDING', 'RUNNING') AND heard_at < now() - make_interval(secs => $3)`,
      [tx.companyId, id, MAX_SILENT_SECONDS],
    );
  }

  /**
   * Begins a new attempt. An earlier attempt that did not release the analysis counts as an error. Null: it has ended, or
   * is gone.
   */
  async claim(tx: Transaction, id: string): Promise<DocumentAnalysis | null> {
    const isBegun = await tx.any(
      `UPDATE document_analysis SET attempt = attempt + 1, status = 'RUNNING', heard_at = now(),
         errors = errors + CASE status WHEN 'RUNNING' THEN 1 ELSE 0 END
       WHERE company_id = $1 AND id = $2 AND status IN ('PENDING', 'RUNNING')`,
      [tx.companyId, id],
    );
    return isBegun ? this.find(tx, { id }) : null;
  }

  /** Locks it for this attempt until `tx` ends. False: another attempt has it, or it is gone. */
  async hold(tx: Transaction, { analysisId, attempt }: AnalysisClaim): Promise<boolean> {
    return tx.any(
      `UPDATE document_analysis SET heard_at = now()
       WHERE company_id = $1 AND id = $2 AND attempt = $3 AND status = 'RUNNING'`,
      [tx.companyId, analysisId, attempt],
    );
  }

  /** Leaves a held analysis to a later attempt, and stores the number of errors. */
  async release(tx: Transaction, id: string, errors: number): Promise<void> {
    await tx.update(DocumentAnalysis, { id }, { status: 'PENDING', errors });
  }

  /** Stores progress, which never decreases, of a held analysis. */
  async advance(tx: Transaction, id: string, progress: number): Promise<void> {
    await tx.query(
      `UPDATE document_analysis SET progress = greatest(progress, $3), failures = 0
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, progress],
    );
  }

  /** Counts another consecutive failure to reach the model, of a held analysis; returns the count. */
  async countFailure(tx: Transaction, id: string): Promise<number> {
    const [row] = await tx.query<{ failures: number }>(
      `UPDATE document_analysis SET failures = failures + 1
       WHERE company_id = $1 AND id = $2 RETURNING failures`,
      [tx.companyId, id],
    );
    return row?.failures ?? 0;
  }

  async complete(tx: Transaction, id: string, result: AnalysisResult): Promise<void> {
    await tx.update(DocumentAnalysis, { id }, { status: 'COMPLETED', progress: 1, result });
    await tx.delete(AnalysisPiece, { analysisId: id });
  }

  /** Fails a held analysis. What was read stays for later requests. */
  async fail(tx: Transaction, id: string, failure: AnalysisFailure): Promise<void> {
    await tx.update(DocumentAnalysis, { id }, { status: 'FAILED', failure });
    // Pieces with unusable answers are tried again then.
    await tx.update(AnalysisPiece, { analysisId: id, findings: null }, { failures: 0 });
  }

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

  async countPages(tx: Transaction, contentId: string): Promise<number | null> {
    const [row] = await tx.query<{ pages: number | null }>(
      'SELECT pages FROM document_content WHERE company_id = $1 AND id = $2',
      [tx.companyId, contentId],
    );
    return row?.pages ?? null;
  }

  listPieces(tx: Transaction, id: string): Promise<AnalysisPiece[]> {
    return tx.list(AnalysisPiece, { analysisId: id }, 'ORDER BY level, ordinal');
  }

  /** Stores the findings of a piece; null counts another unusable answer. */
  async storePiece(
    tx: Transaction,
    id: string,
    { level, ordinal }: Pick<AnalysisPiece, 'level' | 'ordinal'>,
    findings: JsonObject | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE analysis_piece SET findings = $5::jsonb, failures = failures + $6
       WHERE company_id = $1 AND analysis_id = $2 AND level = $3 AND ordinal = $4`,
      [tx.companyId, id, level, ordinal, findings && JSON.stringify(findings), findings ? 0 : 1],
    );
  }
}

export type NewAnalysisRequest = Omit<AnalysisRequest, 'companyId' | 'isToTell' | 'isRefused' | 'createdAt'>;

@Injectable()
export class AnalysisRequestRepository extends keyedRowsOf(AnalysisRequest) {
  /** Adds a request of a turn that waits, or makes an earlier one wait again. */
  override async put(tx: Transaction, request: NewAnalysisRequest): Promise<void> {
    await tx.put(AnalysisRequest, { ...request, isToTell: false, isRefused: false });
  }

  async isRefused(tx: Transaction, analysisId: string, turnId: string): Promise<boolean> {
    return (await tx.find(AnalysisRequest, { analysisId, turnId, isRefused: true })) !== null;
  }

  /** Requests that were not refused, oldest first. */
  listAsked(tx: Transaction, analysisId: string): Promise<AnalysisRequest[]> {
    return tx.list(AnalysisRequest, { analysisId, isRefused: false }, 'ORDER BY created_at, turn_id');
  }
}
