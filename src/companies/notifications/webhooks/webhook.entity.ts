import { Column, Entity, ForeignKey } from 'typeorm';

import { CreatedRow } from '../../../platform/database/rows.entity.js';

/** An address of the company to which notifications are sent. */
@Entity()
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Webhook extends CreatedRow {
  /** Encrypted. Plain text where an earlier version wrote it, until the job encrypt-webhook has run. */
  @Column('text')
  url!: string;

  /** The part of the address that is shown: scheme, host and port. */
  @Column('text', { default: '' })
  origin!: string;

  /** The key that signs requests, encrypted. */
  @Column('text')
  secret!: string;

  /** The kinds of notifications to send; null: all. */
  @Column('text', { array: true, nullable: true })
  kinds!: string[] | null;

  /** Null: it is active. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null;

  /** Why it last failed, in words for people. */
  @Column('text', { nullable: true })
  lastFailure!: string | null;
}
