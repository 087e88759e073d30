import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What is made of the bytes that come in. */
export const uploadPurposes = ['SKILL_PACK', 'DOCUMENT'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

/** A ticket for one upload: single use, soon over. */
@Entity()
@Index('upload_expiry', ['expiresAt'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'upload_member_fkey',
  onDelete: 'CASCADE',
})
export class Upload {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'upload_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'upload_pkey' })
  id!: string;

  @Column('uuid')
  memberId!: string;

  @Column('text')
  purpose!: UploadPurpose;

  /** What it is for, where that is there before the bytes are; null: nothing yet. */
  @Column('uuid', { nullable: true })
  subjectId!: string | null;

  @Column('text')
  name!: string;

  @Column('text')
  mediaType!: string;

  @Column('integer')
  maxBytes!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: Date;

  /** Null: nobody has used it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
