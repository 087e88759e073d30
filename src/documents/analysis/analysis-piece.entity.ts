import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { JsonObject } from '../../common/json.js';

/**
 * A step of an analysis, as long as it is under way. On level 0 some passages are read, on every further level some
 * results of the level below are summed up, until there is one.
 */
@Entity()
@ForeignKey('DocumentAnalysis', ['companyId', 'analysisId'], ['companyId', 'id'], {
  name: 'analysis_piece_analysis_fkey',
  onDelete: 'CASCADE',
})
export class AnalysisPiece {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analysis_piece_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analysis_piece_pkey' })
  analysisId!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'analysis_piece_pkey' })
  level!: number;

  /** From 0, in the order of the document. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'analysis_piece_pkey' })
  ordinal!: number;

  /** The first of the passages, or of the pieces one level below, that it is made of. */
  @Column('integer')
  firstPart!: number;

  /** The last of them. */
  @Column('integer')
  lastPart!: number;

  /** How often the model gave nothing that could be used. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Null: it is still to be done, or was given up. */
  @Column('jsonb', { nullable: true })
  findings!: JsonObject | null;
}
