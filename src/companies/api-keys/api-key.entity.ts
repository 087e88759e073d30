import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { Role } from '../../auth/viewer.js';

/** What a program signs in with, as a member of its own. */
@Entity()
@Index('api_key_digest', ['companyId', 'digest'], { unique: true })
@Index('api_key_member', ['companyId', 'memberId'], { unique: true })
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], {
  name: 'api_key_member_fkey',
  onDelete: 'CASCADE',
})
export class ApiKey {
  @ForeignKey('Company', { name: 'api_key_company_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_key_pkey' })
  companyId!: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_key_pkey' })
  id!: string;

  /** Whose it is what the program asks and is answered. */
  @Column('uuid')
  memberId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  role!: Role;

  /** SHA-256 of the key, which nobody keeps. */
  @Column('text')
  digest!: string;

  /** Null: it does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** To the hour. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}
