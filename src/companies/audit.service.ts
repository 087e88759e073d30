import { Injectable } from '@nestjs/common';

import { newId } from '../common/ids.js';
import type { JsonObject } from '../common/json.js';
import type { Transaction } from '../database/transaction.js';

/** Keeps who changed what, in the transaction of the change itself. */
@Injectable()
export class AuditService {
  /** `action` is `noun.verb`; `subject` is what it was done to. */
  async record(
    tx: Transaction,
    memberId: string,
    action: string,
    subject: string,
    details: JsonObject = {},
  ): Promise<void> {
    await tx.query(
      `INSERT INTO audit_entry (company_id, id, member_id, action, subject, details) VALUES ($1, $2, $3, $4, $5, $6)`,
      [tx.companyId, newId(), memberId, action, subject, details],
    );
  }
}
