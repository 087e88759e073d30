import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** An address of the company's own that is told of notifications. */
@Entity()
export class Webhook {
  @ForeignKey('Company', { name: 'webhook_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_pkey' })
  id!: string;

  @Column('text')
  url!: string;

  /** What requests are signed with, encrypted. */
  @Column('text')
  secret!: string;

  /** Of notifications; null: all of them. */
  @Column('text', { array: true, nullable: true })
  kinds!: string[] | null;

  /** Null: it is told. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastSuccessAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastFailureAt!: Date | null;

  /** Why, in words for people. */
  @Column('text', { nullable: true })
  lastFailure!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
