import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import type { Transaction } from '../../platform/database/transaction.js';

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

@Injectable()
export class UploadRepository extends rowsOf(Upload) {
  /** In a system transaction. Deletes expired tickets of all companies, and gives how many. */
  async deleteExpired(tx: Transaction, now: Date): Promise<number> {
    const [row] = await tx.query<{ deleted: number }>(
      `WITH expired AS (DELETE FROM upload WHERE expires_at <= $1 RETURNING id)
       SELECT count(*)::integer AS deleted FROM expired`,
      [now],
    );
    return row?.deleted ?? 0;
  }
}
