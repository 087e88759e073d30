import { Injectable } from '@nestjs/common';

import type { Viewer } from '../auth/viewer.js';
import { isId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { auditEntryOrder, AuditEntryRepository } from './audit-entry.repository.js';

/** Reads the audit, for admins. */
@Injectable()
export class AuditEntries {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditEntryRepository,
  ) {}

  /** Of the viewer's company. The caller has checked the role. */
  list(viewer: Viewer, page: ForwardPageArguments): Promise<Page<AuditEntry>> {
    const request = pageRequest(page, auditEntryOrder);
    return this.database.read(viewer.companyId, (tx) => this.entries.list(tx, request));
  }

  /** Null for members, as for an entry that does not exist. */
  async find(viewer: Viewer, id: string): Promise<AuditEntry | null> {
    if (!isId(id) || viewer.role === 'MEMBER') return null;
    return this.database.read(viewer.companyId, (tx) => this.entries.find(tx, id));
  }
}
