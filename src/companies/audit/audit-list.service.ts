import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { isId } from '../../common/ids.js';
import { type ForwardPageArguments, type Page, pageRequest } from '../../common/schema/page.js';
import { Database } from '../../platform/database/database.js';
import type { Viewer } from '../auth/viewer.js';
import { auditEntryOrder, AuditListRepository, type ListedEntries } from './audit-list.repository.js';
import type { AuditEntry } from './audit.repository.js';

/** Years that PostgreSQL has. */
const moment = z
  .date()
  .min(new Date(0), 'This is before 1970.')
  .max(new Date('9999-12-31'), 'This is too late.');

const Filter = z.object({
  noun: z.string().max(100).nullish(),
  memberId: z.string().refine(isId, 'This is no id.').nullish(),
  from: moment.nullish(),
  to: moment.nullish(),
});

/** What was changed, as admins look it up. */
@Injectable()
export class AuditList {
  constructor(
    private readonly database: Database,
    private readonly entries: AuditListRepository,
  ) {}

  /** Of the viewer's company. Rejects with BAD_USER_INPUT. The caller has checked the role. */
  async list(viewer: Viewer, given: unknown, page: ForwardPageArguments): Promise<Page<AuditEntry>> {
    const filter = checkInput(Filter, given ?? {}, ['filter']);
    const listed: ListedEntries = Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value != null),
    );
    const request = pageRequest(page, auditEntryOrder);
    return this.database.read(viewer.companyId, (tx) => this.entries.pageOf(tx, listed, request));
  }
}
