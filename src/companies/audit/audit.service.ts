import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@palabre/json';
import { z } from 'zod';
import { isPlain } from '@palabre/text';

import { checkInput, moment } from '../../common/check-input.js';
import { DAY_MS } from '../../common/clock.js';
import { firstIdAt, isId, newId, NIL_ID } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Viewer } from '../auth/viewer.js';
import {
  type AuditEntry,
  auditEntryOrder,
  AuditRepository,
  type ListedEntries,
  type NewAuditEntry,
} from './audit.repository.js';

const MAX_A_DAY = 100;

const Filter = z.object({
  noun: z.string().max(100).refine(isPlain, 'This holds characters that are not text.').nullish(),
  memberId: z.string().refine(isId, 'This is no id.').nullish(),
  from: moment.nullish(),
  to: moment.nullish(),
});

/** Records who changed what, in the transaction of the change, and shows it to admins. */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditRepository,
  ) {}

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
   * Records an action of a connected server. At most 100 entries a day for each action and subject, because a server
   * may act without limit.
   */
  recordSystemChange(tx: Transaction, action: string, subject: string, details: JsonObject): Promise<void> {
    return this.recordWithin(tx, { memberId: NIL_ID, action, subject, details }, MAX_A_DAY);
  }

  /** Records a repeated action of a member once a day. */
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

  /** Entries of the viewer's company. Rejects with BAD_USER_INPUT. The caller has checked the role. */
  async list(viewer: Viewer, given: unknown, page: ForwardPageArguments): Promise<Page<AuditEntry>> {
    const filter = checkInput(Filter, given ?? {}, ['filter']);
    const listed: ListedEntries = Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value != null),
    );
    const request = pageRequest(page, auditEntryOrder);
    return this.database.read(viewer.companyId, (tx) => this.entries.pageOf(tx, listed, request));
  }
}
