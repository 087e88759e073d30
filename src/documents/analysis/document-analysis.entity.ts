import { Column, Entity, ForeignKey, Index } from 'typeorm';

import type { AnalysisResult } from './analysis-result.js';
import { CreatedRow } from '../../platform/database/rows.entity.js';

/** SUMMARY: a summary with key figures. ESG: also which indicators of the ESG grid the document covers. */
const analysisFocuses = ['SUMMARY', 'ESG'] as const;
export type AnalysisFocus = (typeof analysisFocuses)[number];

const analysisStatuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
type AnalysisStatus = (typeof analysisStatuses)[number];

/** Why there is no result. INTERNAL: for no reason that a user could fix. */
const analysisFailures = ['NO_TEXT', 'QUOTA', 'MODEL', 'INTERNAL'] as const;
export type AnalysisFailure = (typeof analysisFailures)[number];

/** The analysis of a whole document. Documents with the same bytes share it. */
@Entity()
@Index('document_analysis_kind', ['companyId', 'contentId', 'focus', 'language'], { unique: true })
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class DocumentAnalysis extends CreatedRow {
  @Column('uuid')
  contentId!: string;

  @Column('text')
  focus!: AnalysisFocus;

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
