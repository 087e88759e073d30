import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Role } from '../../auth/viewer.js';

/** A person in a company. */
@Entity()
@Index('member_subject', ['companyId', 'subject'], { unique: true })
@Index('member_admin', ['companyId', 'id'], { where: `"role" <> 'MEMBER'` })
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

  /**
   * The last token's. What somebody may do is said by the token that they come with, for an identity provider may
   * change it any day; this is for telling people something while they are not there.
   */
  @Column('text', { default: 'MEMBER' })
  role!: Role;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
