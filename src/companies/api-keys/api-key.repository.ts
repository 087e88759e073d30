import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import type { ApiKeyScope, Role } from '../auth/viewer.js';
import { CreatedRow } from '../../platform/database/rows.js';
import { newestFirst, pagedRowsOf } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';

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

export const apiKeyOrder = newestFirst('api-keys');

@Injectable()
export class ApiKeyRepository extends pagedRowsOf(ApiKey) {
  async add(
    tx: Transaction,
    key: Pick<ApiKey, 'id' | 'memberId' | 'name' | 'role' | 'scopes' | 'createdBy' | 'digest' | 'expiresAt'>,
  ): Promise<ApiKey> {
    await this.insert(tx, key);
    const added = await this.find(tx, { id: key.id });
    if (!added) throw new Error('An API key that was just added is not there.');
    return added;
  }

  /** The key of that digest; null: there is none, it is revoked or paused, or its member or company is erased. */
  async findInForce(tx: Transaction, digest: string): Promise<ApiKey | null> {
    return tx.selectOne(
      ApiKey,
      `company_id = $1 AND digest = $2 AND revoked_at IS NULL AND paused_at IS NULL AND EXISTS (
         SELECT FROM member WHERE member.company_id = $1 AND member.id = api_key.member_id
           AND member.subject = 'api-key ' || api_key.id)
         AND EXISTS (SELECT FROM company WHERE id = $1 AND slug <> 'erased ' || id)`,
      [tx.companyId, digest],
    );
  }

  async isApiKeyMember(tx: Transaction, memberId: string): Promise<boolean> {
    return tx.any('SELECT FROM api_key WHERE company_id = $1 AND member_id = $2', [tx.companyId, memberId]);
  }

  /** Pauses the keys that the member made, or is. Gives the members that these keys are. */
  async pauseByMember(tx: Transaction, memberId: string, at: Date): Promise<string[]> {
    const rows = await tx.query<{ memberId: string }>(
      `UPDATE api_key SET paused_at = $3
       WHERE company_id = $1 AND (created_by = $2 OR member_id = $2) AND paused_at IS NULL AND revoked_at IS NULL
       RETURNING member_id AS "memberId"`,
      [tx.companyId, memberId, at],
    );
    return rows.map((row) => row.memberId);
  }

  /** Resumes the keys that the member made, or is, unless another deactivated member keeps them paused. Gives how many. */
  async resumeByMember(tx: Transaction, memberId: string): Promise<number> {
    const rows = await tx.query(
      `UPDATE api_key SET paused_at = NULL
       WHERE company_id = $1 AND (created_by = $2 OR member_id = $2) AND paused_at IS NOT NULL AND NOT EXISTS (
         SELECT FROM member WHERE member.company_id = $1 AND member.id IN (api_key.created_by, api_key.member_id)
           AND member.deactivated_at IS NOT NULL)
       RETURNING id`,
      [tx.companyId, memberId],
    );
    return rows.length;
  }

  /** Counts up to `limit`. */
  async countInForce(tx: Transaction, limit: number): Promise<number> {
    const rows = await tx.query(
      `SELECT FROM api_key WHERE company_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
       LIMIT $2`,
      [tx.companyId, limit],
    );
    return rows.length;
  }

  /** Revokes the keys that the member made, and takes the role from the members that these are. Gives these members. */
  async revokeByMaker(tx: Transaction, memberId: string, at: Date): Promise<string[]> {
    return tx.ids(
      `WITH revoked AS (
         UPDATE api_key SET revoked_at = $3 WHERE company_id = $1 AND created_by = $2 AND revoked_at IS NULL
         RETURNING member_id)
       UPDATE member SET subject = 'revoked ' || id, role = 'MEMBER'
       WHERE company_id = $1 AND id IN (SELECT member_id FROM revoked) RETURNING id`,
      [tx.companyId, memberId, at],
    );
  }

  /** Revokes the key and takes the role from its member. Null: there is no such key. */
  async revoke(tx: Transaction, id: string, at: Date): Promise<{ key: ApiKey; isNew: boolean } | null> {
    const isNew = await this.update(tx, { id, revokedAt: null }, { revokedAt: at });
    const key = await this.find(tx, { id });
    if (!key) return null;
    if (!isNew) return { key, isNew };
    await tx.query(
      `UPDATE member SET subject = 'revoked ' || id, role = 'MEMBER' WHERE company_id = $1 AND id = $2`,
      [tx.companyId, key.memberId],
    );
    return { key, isNew };
  }
}
