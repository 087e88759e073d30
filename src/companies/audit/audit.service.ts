import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { DAY_MS } from '../../common/clock.js';
import { isId } from '../../common/ids.js';
import type { JsonObject, JsonValue } from '../../common/json.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../database/database.js';
import { firstIdAt } from '../../database/partitions/partition-day.js';
import type { Transaction } from '../../database/transaction.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { auditEntryOrder, AuditEntryRepository } from './audit-entry.repository.js';
import { NOBODY } from '../member-data/nobody.js';

const MOST_A_DAY = 100;

/** Keeps who changed what, in the transaction of the change itself. */
@Injectable()
export class AuditService {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditEntryRepository,
  ) {}

  /** `action` is `noun.verb`; `subject` is what it was done to; `details` never holds a secret. */
  record(
    tx: Transaction,
    memberId: string,
    action: string,
    subject: string,
    details: JsonObject = {},
  ): Promise<void> {
    return this.entries.add(tx, { memberId, action, subject, details });
  }

  /**
   * As `record`, of what no member did but a server that a company has connected: nobody here slows it down, so at most
   * 100 a day are kept of one subject.
   */
  recordByNobody(tx: Transaction, action: string, subject: string, details: JsonObject): Promise<void> {
    const since = firstIdAt(new Date(Date.now() - DAY_MS));
    return this.entries.addUnlessMany(
      tx,
      { memberId: NOBODY, action, subject, details },
      { most: MOST_A_DAY, since },
    );
  }

  /** As `record`, of settings that were changed: with their new values, and as `before` with those they had. */
  recordChange<Changes extends object>(
    tx: Transaction,
    memberId: string,
    action: string,
    subject: string,
    changes: Changes,
    before: Readonly<Record<keyof Changes, JsonValue>>,
  ): Promise<void> {
    const names = Object.keys(changes) as (keyof Changes)[];
    const had = Object.fromEntries(names.map((name) => [name, before[name]]));
    return this.record(tx, memberId, action, subject, { ...changes, before: had } as JsonObject);
  }

  /** Of the viewer's company; whoever calls has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<AuditEntry>> {
    const request = pageRequest(page, auditEntryOrder);
    return this.database.read(viewer.companyId, (tx) => this.entries.list(tx, request));
  }

  /** For admins; null for everybody else, as for what is not there. */
  async find(viewer: Viewer, id: string): Promise<AuditEntry | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    return this.database.read(viewer.companyId, (tx) => this.entries.find(tx, id));
  }
}
