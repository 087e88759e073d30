import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { AnalysisResult } from './analysis-result.js';

/** SUMMARY: what it says, with its key figures. ESG: besides, which indicators of the ESG grid it supports. */
export const analysisFocuses = ['SUMMARY', 'ESG'] as const;
export type AnalysisFocus = (typeof analysisFocuses)[number];

export const analysisStatuses = ['PENDING', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type AnalysisStatus = (typeof analysisStatuses)[number];

/** Why there is no result. INTERNAL: for no reason that a person could mend. */
export const analysisFailures = ['NO_TEXT', 'QUOTA', 'MODEL', 'INTERNAL'] as const;
export type AnalysisFailure = (typeof analysisFailures)[number];

/** What models make of a document as a whole. Documents with the same bytes share it. */
@Entity()
@Index('document_analysis_kind', ['companyId', 'contentId', 'focus', 'language'], { unique: true })
@ForeignKey('DocumentContent', ['companyId', 'contentId'], ['companyId', 'id'], {
  name: 'document_analysis_content_fkey',
  onDelete: 'CASCADE',
})
export class DocumentAnalysis {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_analysis_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'document_analysis_pkey' })
  id!: string;

  @Column('uuid')
  contentId!: string;

  @Column('text')
  focus!: AnalysisFocus;

  /** What the result is written in, BCP 47. */
  @Column('text')
  language!: string;

  @Column('text', { default: 'PENDING' })
  status!: AnalysisStatus;

  /** Goes up whenever somebody begins to work on it. The fencing token: what an older one writes is refused. */
  @Column('integer', { default: 0 })
  attempt!: number;

  /** How often in a row the model could not be reached. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** How many attempts have ended in a way that nobody has foreseen, or were never heard of again. */
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

  /** When whoever works on it last wrote something. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  heardAt!: Date;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
