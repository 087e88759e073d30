import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { Transaction } from '../database/transaction.js';
import { Member } from './member.entity.js';

@Injectable()
export class MemberRepository {
  /** Gives the id of the member with this subject, made on the first visit and kept up to date afterwards. */
  async admit(tx: Transaction, person: Pick<Member, 'subject' | 'name' | 'email'>): Promise<string> {
    const { subject, name, email } = person;
    const known = await tx.repository(Member).findOneBy({ companyId: tx.companyId, subject });
    // Read first: most visits change nothing, and a row that is written again is a row to be cleaned up.
    if (known && known.name === name && known.email === email) return known.id;
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO member (company_id, id, subject, name, email) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (company_id, subject) DO UPDATE SET name = excluded.name, email = excluded.email
       RETURNING id`,
      [tx.companyId, newId(), subject, name, email],
    );
    if (!row) throw new Error('An upsert gave no row.');
    return row.id;
  }

  async find(tx: Transaction, id: string): Promise<Member | null> {
    return tx.selectOne(Member, 'company_id = $1 AND id = $2', [tx.companyId, id]);
  }
}
