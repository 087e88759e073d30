import { Injectable } from '@nestjs/common';

import { newId } from '../../common/ids.js';
import type { Page, PageRequest } from '../../common/schema/page.js';
import { newestFirst, readPage } from '../../database/keyset.js';
import type { Transaction } from '../../database/transaction.js';
import { Member } from './member.entity.js';

export const memberOrder = newestFirst('members');

/** Whoever is being erased is nobody any more. */
const IS_SOMEBODY = `subject <> 'erased ' || id`;

@Injectable()
export class MemberRepository {
  /** Gives the id of the member with this subject, made on the first visit and kept up to date afterwards. */
  async admit(tx: Transaction, person: Pick<Member, 'subject' | 'name' | 'email' | 'role'>): Promise<string> {
    const { subject, name, email, role } = person;
    const known = await tx.repository(Member).findOneBy({ companyId: tx.companyId, subject });
    // Read first: most visits change nothing, and a row that is written again is a row to be cleaned up.
    if (known?.name === name && known.email === email && known.role === role) return known.id;
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO member (company_id, id, subject, name, email, role) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (company_id, subject)
       DO UPDATE SET name = excluded.name, email = excluded.email, role = excluded.role
       RETURNING id`,
      [tx.companyId, newId(), subject, name, email, role],
    );
    if (!row) throw new Error('An upsert gave no row.');
    return row.id;
  }

  list(tx: Transaction, request: PageRequest): Promise<Page<Member>> {
    const query = tx
      .repository(Member)
      .createQueryBuilder('member')
      .where({ companyId: tx.companyId })
      .andWhere(IS_SOMEBODY);
    return readPage(query, memberOrder, request);
  }

  /** But for those who are being erased. */
  findMany(tx: Transaction, ids: readonly string[]): Promise<Member[]> {
    return tx.select(Member, `company_id = $1 AND id = ANY ($2) AND ${IS_SOMEBODY}`, [tx.companyId, ids]);
  }

  async find(tx: Transaction, id: string): Promise<Member | null> {
    return tx.selectOne(Member, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }

  /** Those who were last seen with more than a member's role. */
  async listAdminIds(tx: Transaction, limit: number): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM member WHERE company_id = $1 AND role <> 'MEMBER' ORDER BY id LIMIT $2`,
      [tx.companyId, limit],
    );
    return rows.map(({ id }) => id);
  }
}
