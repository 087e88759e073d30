import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Role } from '../auth/viewer.js';

/** A person in a company, or a program with an API key. */
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
   * The role of the last token. Requests are authorised by the role of their own token; this one serves to find admins
   * who are not signed in, to notify them.
   */
  @Column('text', { default: 'MEMBER' })
  role!: Role;

  /** When an admin deactivated the member; null: they may sign in. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deactivatedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
