import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A person in a company. The role is the token's, not the row's: an identity provider may change it any day. */
@Entity()
@Index('member_subject', ['companyId', 'subject'], { unique: true })
export class Member {
  @ForeignKey('Company', { name: 'member_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'member_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'member_pkey' })
  id!: string;

  /** The token's `sub`. */
  @Column('text')
  subject!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  email!: string | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
