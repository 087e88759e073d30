import { Column, Entity, ForeignKey, Index } from 'typeorm';

import type { Role } from '../auth/viewer.js';
import { CreatedRow } from '../../platform/database/rows.entity.js';

/** A person in a company, or a program with an API key. */
@Entity()
@Index('member_subject', ['companyId', 'subject'], { unique: true })
@Index('member_admin', ['companyId', 'id'], { where: `"role" <> 'MEMBER'` })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class Member extends CreatedRow {
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

  /** Sessions in browsers that began before are over; null: none was ended before its time. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  sessionsEndedAt!: Date | null;
}
