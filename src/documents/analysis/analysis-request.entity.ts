import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Who asked for an analysis, in which turn: whom it is counted for, and who is told of its end. */
@Entity()
@Index('analysis_request_turn', ['companyId', 'turnId'])
@Index('analysis_request_member', ['companyId', 'memberId'])
@ForeignKey('DocumentAnalysis', ['companyId', 'analysisId'], ['companyId', 'id'], {
  name: 'analysis_request_analysis_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('Turn', ['companyId', 'turnId'], ['companyId', 'id'], {
  name: 'analysis_request_turn_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'analysis_request_member_fkey',
  onDelete: 'CASCADE',
})
export class AnalysisRequest {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analysis_request_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analysis_request_pkey' })
  analysisId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'analysis_request_pkey' })
  turnId!: string;

  @Column('uuid')
  memberId!: string;

  /** By its key. */
  @Column('text')
  assistant!: string;

  /** As the document was called that it was asked for. */
  @Column('text')
  documentName!: string;

  /** The turn no longer waits for it: the member is told when it has ended. */
  @Column('boolean', { default: false })
  isToTell!: boolean;

  /** What was granted to the member is used up. It went on for the others. */
  @Column('boolean', { default: false })
  isRefused!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
