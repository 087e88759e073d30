import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CompanyRow } from '../../platform/database/rows.entity.js';

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

  /** The name of the document that was asked about. */
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
