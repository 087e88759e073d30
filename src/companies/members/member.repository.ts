import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Injectable } from '@nestjs/common';

import type { Role } from '../auth/viewer.js';
import { CreatedRow, rowsOf } from '../../platform/database/rows.js';
import { newId, NIL_ID } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../platform/database/keyset.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { MemberAddress } from './member-data.js';

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

export const memberOrder = newestFirst('members');

/** Members that are being erased keep their row, with this subject, until their data is gone. */
const IS_NOT_ERASED = `subject <> 'erased ' || id`;

/**
 * SQL condition: `member` still has access: neither erased nor deactivated, as an API key neither revoked nor paused,
 * in a company that is not erased. An expired key counts as access.
 */
export const KEEPS_ACCESS = `member.subject NOT IN ('erased ' || member.id, 'revoked ' || member.id)
  AND member.deactivated_at IS NULL
  AND NOT EXISTS (SELECT FROM api_key WHERE api_key.company_id = member.company_id AND api_key.member_id = member.id
    AND api_key.paused_at IS NOT NULL)
  AND EXISTS (SELECT FROM company WHERE company.id = member.company_id AND company.slug <> 'erased ' || company.id)`;

@Injectable()
export class MemberRepository extends rowsOf(Member) {
  /** The member with this subject: inserted on the first visit, updated on later ones. */
  async admit(
    tx: Transaction,
    person: Pick<Member, 'subject' | 'name' | 'email' | 'role'>,
  ): Promise<Pick<Member, 'id' | 'deactivatedAt' | 'sessionsEndedAt'>> {
    const { subject, name, email, role } = person;
    const known = await this.find(tx, { subject });
    // Read first: most visits change nothing, and every rewritten row is work for VACUUM.
    if (known?.name === name && known.email === email && known.role === role) return known;
    const [row] = await tx.query<Pick<Member, 'id' | 'deactivatedAt' | 'sessionsEndedAt'>>(
      `INSERT INTO member (company_id, id, subject, name, email, role) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (company_id, subject)
       DO UPDATE SET name = excluded.name, email = excluded.email, role = excluded.role
       RETURNING id, deactivated_at AS "deactivatedAt", sessions_ended_at AS "sessionsEndedAt"`,
      [tx.companyId, newId(), subject, name, email, role],
    );
    if (!row) throw new Error('An upsert gave no row.');
    return row;
  }

  pageOfPresent(tx: Transaction, request: PageRequest): Promise<Page<Member>> {
    const query = tx
      .repository(Member)
      .createQueryBuilder('member')
      .where({ companyId: tx.companyId })
      .andWhere(IS_NOT_ERASED);
    return readPage(query, memberOrder, request);
  }

  /** Leaves out members that are being erased. */
  findMany(tx: Transaction, ids: readonly string[]): Promise<Member[]> {
    return tx.select(Member, `company_id = $1 AND id = ANY ($2) AND ${IS_NOT_ERASED}`, [tx.companyId, ids]);
  }

  /** The person with this subject, or the first two with this email address. Programs are left out. */
  listNamed(tx: Transaction, name: string): Promise<Member[]> {
    return tx.select(
      Member,
      `company_id = $1 AND (subject = $2 OR lower(email) = lower($2)) AND ${IS_NOT_ERASED}
         AND NOT EXISTS (SELECT FROM api_key WHERE api_key.company_id = $1 AND api_key.member_id = member.id)
       ORDER BY subject = $2 DESC LIMIT 2`,
      [tx.companyId, name],
    );
  }

  /**
   * Members who may sign in: neither erased nor deactivated, as an API key neither revoked, paused nor expired, in a
   * company that is not erased. By id, with the time when their sessions were ended.
   */
  async listActive(tx: Transaction, ids: readonly string[]): Promise<Map<string, Date | null>> {
    const active = await tx.query<Pick<Member, 'id' | 'sessionsEndedAt'>>(
      `SELECT id, sessions_ended_at AS "sessionsEndedAt" FROM member
       WHERE company_id = $1 AND id = ANY ($2) AND ${KEEPS_ACCESS} AND NOT EXISTS (
         SELECT FROM api_key WHERE api_key.company_id = $1 AND api_key.member_id = member.id AND expires_at <= now())`,
      [tx.companyId, ids],
    );
    return new Map(active.map(({ id, sessionsEndedAt }) => [id, sessionsEndedAt]));
  }

  /** Whether the member is active. Nobody can deactivate them until `tx` ends. */
  async lockIfActive(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(
      'SELECT FROM member WHERE company_id = $1 AND id = $2 AND deactivated_at IS NULL FOR SHARE',
      [tx.companyId, id],
    );
  }

  /** Whether the company has another active admin, by the role last seen, who is a person and not an API key. */
  async hasAnotherAdmin(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(
      `SELECT FROM member WHERE company_id = $1 AND id <> $2 AND role <> 'MEMBER' AND deactivated_at IS NULL
         AND NOT EXISTS (SELECT FROM api_key WHERE api_key.company_id = $1 AND api_key.member_id = member.id)
       LIMIT 1`,
      [tx.companyId, id],
    );
  }

  /** Active members who were last seen with more than a member's role. */
  async listAdminIds(tx: Transaction, limit: number): Promise<string[]> {
    return tx.ids(
      `SELECT id FROM member WHERE company_id = $1 AND role <> 'MEMBER' AND deactivated_at IS NULL
       ORDER BY id LIMIT $2`,
      [tx.companyId, limit],
    );
  }

  /** Marks the member as erased: a token with the same `sub` makes a new member. False: they were marked before. */
  async markErased(tx: Transaction, id: string): Promise<boolean> {
    return tx.any(
      `UPDATE member SET subject = 'erased ' || id, name = '', email = NULL, role = 'MEMBER'
       WHERE company_id = $1 AND id = $2 AND subject <> 'erased ' || id`,
      [tx.companyId, id],
    );
  }

  async listErased(tx: Transaction): Promise<string[]> {
    return tx.ids(`SELECT id FROM member WHERE company_id = $1 AND subject = 'erased ' || id`, [
      tx.companyId,
    ]);
  }

  /** In a system transaction. Takes the member's id out of the audit; what was changed stays in it. */
  async anonymizeAudit(tx: Transaction, { companyId, id }: MemberAddress): Promise<void> {
    await tx.query(
      `UPDATE audit_entry SET member_id = CASE member_id WHEN $2 THEN $3 ELSE member_id END,
         subject = replace(subject, $2::text, $3::text), details = replace(details::text, $2::text, $3::text)::jsonb
       WHERE company_id = $1 AND (member_id = $2 OR position($2::text IN subject || details::text) > 0)`,
      [companyId, id, NIL_ID],
    );
  }
}
