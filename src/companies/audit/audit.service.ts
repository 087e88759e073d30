import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@palabre/json';

import { DAY_MS } from '../../common/clock.js';
import { firstIdAt, newId, NIL_ID } from '../../common/ids.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { AuditRepository, type NewAuditEntry } from './audit.repository.js';

const MAX_A_DAY = 100;

/** Records who changed what, in the transaction of the change. */
@Injectable()
export class AuditService {
  constructor(private readonly entries: AuditRepository) {}

  /** `action` is `noun.verb`, `subject` is what was changed. `details` never holds a secret. */
  async record(
    tx: Transaction,
    memberId: string,
    action: string,
    subject: string,
    details: JsonObject = {},
  ): Promise<void> {
    await this.entries.insert(tx, { id: newId(), memberId, action, subject, details });
  }

  /**
   * Records what a connected server did, instead of a member. At most 100 entries a day are kept per action and
   * subject, for a server may do as much as it likes.
   */
  recordSystemChange(tx: Transaction, action: string, subject: string, details: JsonObject): Promise<void> {
    return this.recordWithin(tx, { memberId: NIL_ID, action, subject, details }, MAX_A_DAY);
  }

  /** Records what a member does again and again, once a day. */
  recordDaily(tx: Transaction, memberId: string, action: string, subject: string): Promise<void> {
    return this.recordWithin(tx, { memberId, action, subject, details: {} }, 1);
  }

  private recordWithin(tx: Transaction, entry: NewAuditEntry, limit: number): Promise<void> {
    return this.entries.addWithLimit(tx, entry, { limit, since: firstIdAt(new Date(Date.now() - DAY_MS)) });
  }

  /** Records changed settings: their new values, and under `before` their old ones. */
  recordChange<Changes extends object>(
    tx: Transaction,
    memberId: string,
    action: string,
    subject: string,
    changes: Changes,
    before: Readonly<Record<keyof Changes, JsonValue>>,
  ): Promise<void> {
    const names = Object.keys(changes) as (keyof Changes)[];
    const oldValues = Object.fromEntries(names.map((name) => [name, before[name]]));
    return this.record(tx, memberId, action, subject, { ...changes, before: oldValues } as JsonObject);
  }
}
