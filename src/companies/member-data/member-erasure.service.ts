import { Injectable } from '@nestjs/common';

import type { Viewer } from '../../auth/viewer.js';
import { notFound } from '../../common/errors/domain-error.js';
import { isId } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { AuditService } from '../audit/audit.service.js';
import { MembersService } from '../members/members.service.js';
import { eraseMember } from './erase-member.job.js';
import { MemberDataRepository } from './member-data.repository.js';
import { NOBODY } from './nobody.js';

/** Has members erased: at once nobody is them any more, and soon after nothing of theirs is left. */
@Injectable()
export class MemberErasure {
  constructor(
    private readonly database: Database,
    private readonly rows: MemberDataRepository,
    private readonly members: MembersService,
    private readonly audit: AuditService,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Has a member of the viewer's company erased, and gives the id. Doing so again while it is under way does no harm.
   * Rejects with NOT_FOUND. Whoever calls has checked that it is the viewer, or an admin.
   */
  async begin(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('member');
    const { companyId } = viewer;
    await this.database.transaction(companyId, async (tx) => {
      if (!(await this.rows.hold(tx, id))) throw notFound('member');
      if (await this.rows.disown(tx, id)) {
        // That it happened is kept; whose data it was is what is not to be known any more.
        await this.audit.record(tx, viewer.id === id ? NOBODY : viewer.id, 'member.erased', 'member');
        await this.members.announceGone(tx, id);
      }
      await this.jobs.enqueue(tx, eraseMember, { companyId, memberId: id });
    });
    return id;
  }
}
