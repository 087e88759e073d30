import { Column, Entity, ForeignKey, Index } from 'typeorm';

import { CreatedRow } from '../../platform/database/rows.entity.js';

/** What the uploaded bytes become. */
const uploadPurposes = ['SKILL_PACK', 'DOCUMENT'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

/** A ticket for one upload. It is used once and expires soon. */
@Entity()
@Index('upload_expiry', ['expiresAt'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
export class Upload extends CreatedRow {
  @Column('uuid')
  memberId!: string;

  @Column('text')
  purpose!: UploadPurpose;

  /** The row that the upload is for, such as a document; null: it is created from the bytes. */
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

  /** Null: not used yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  usedAt!: Date | null;
}
