import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { JsonObject } from '@palabre/json';

import { CompanyRow } from '../../platform/database/rows.entity.js';

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
