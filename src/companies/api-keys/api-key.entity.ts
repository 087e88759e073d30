import { Column, Entity, ForeignKey, Index } from 'typeorm';

import type { ApiKeyScope, Role } from '../auth/viewer.js';
import { CreatedRow } from '../../platform/database/rows.entity.js';

/** A credential for a program, which signs in with it as a member of its own. */
@Entity()
@Index('api_key_digest', ['companyId', 'digest'], { unique: true })
@Index('api_key_member', ['companyId', 'memberId'], { unique: true })
@Index('api_key_created_by', ['companyId', 'createdBy'])
@ForeignKey('Member', ['companyId', 'memberId'], ['companyId', 'id'], { onDelete: 'CASCADE' })
@ForeignKey('Member', ['companyId', 'createdBy'], ['companyId', 'id'], { onDelete: 'SET NULL' })
@ForeignKey('Company', ['companyId'], ['id'], { onDelete: 'CASCADE' })
export class ApiKey extends CreatedRow {
  /** The member that the program acts as. */
  @Column('uuid')
  memberId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  role!: Role;

  @Column('text', { array: true })
  scopes!: ApiKeyScope[];

  /** The member who made it; null: they were erased, or the key is older than this column. */
  @Column('uuid', { nullable: true })
  createdBy!: string | null;

  /** SHA-256 of the key. The key itself is not stored. */
  @Column('text')
  digest!: string;

  /** Null: it does not expire. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  revokedAt!: Date | null;

  /** Since when its member, or its maker, is deactivated; null: it works. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  pausedAt!: Date | null;

  /** Precise to the hour. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt!: Date | null;
}
