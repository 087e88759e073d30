import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { notFound } from '../../common/errors/domain-error.js';
import { isId, NIL_ID } from '../../common/ids.js';
import { Database } from '../../platform/database/database.js';
import { DomainEvents } from '../../platform/events/domain-events.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { ApiKeyRepository } from '../api-keys/api-key.repository.js';
import { AuditService } from '../audit/audit.service.js';
import type { Viewer } from '../auth/viewer.js';
import { memberLeaving } from '../companies.events.js';
import { eraseMember } from '../companies.jobs.js';
import { StoredFilesService } from '../files/stored-files.service.js';
import { OwedWork } from '../owed-work.service.js';
import { type MemberAddress, MemberData } from './member-data.js';
import { MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';

/**
 * Marks members as erased, and enqueues the removal of their data. The keys that they made stop working at once. A token
 * that is still valid signs in a new member, without their data.
 */
@Injectable()
export class MemberErasure {
  constructor(
    private readonly database: Database,
    private readonly rows: MemberRepository,
    private readonly members: MembersService,
    private readonly keys: ApiKeyRepository,
    private readonly audit: AuditService,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins to erase a member of the viewer's company, and gives the id. A second time does no harm. Rejects with
   * NOT_FOUND. The caller has checked that it is the viewer, or that the viewer is an admin.
   */
  async begin(viewer: Viewer, id: string): Promise<string> {
    if (!isId(id)) throw notFound('member');
    const { companyId } = viewer;
    await this.database.transaction(companyId, async (tx) => {
      if (!(await this.rows.lock(tx, { id }, 'FOR UPDATE'))) throw notFound('member');
      if (await this.rows.markErased(tx, id)) {
        // The audit records that a member was erased, but not who.
        const by = viewer.id === id ? NIL_ID : viewer.id;
        // Others may not know that these keys exist.
        const keyMembers = await this.keys.revokeByMaker(tx, id, this.clock.now());
        await this.audit.record(tx, by, 'member.erased', 'member', { apiKeysRevoked: keyMembers.length });
        for (const gone of new Set([id, ...keyMembers])) await this.members.announceGone(tx, gone);
      }
      await this.jobs.enqueue(tx, eraseMember, { companyId, memberId: id });
    });
    return id;
  }
}

/** Removes the data of members that are marked as erased, in worker processes. */
@Injectable()
export class MemberRemoval implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly data: MemberData,
    private readonly events: DomainEvents,
    private readonly rows: MemberRepository,
    private readonly files: StoredFilesService,
    owed: OwedWork,
  ) {
    owed.register(eraseMember, async (tx) => {
      const ids = await this.rows.listErased(tx);
      return ids.map((memberId) => ({ companyId: tx.companyId, memberId }));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(eraseMember, ({ companyId, memberId }, signal) =>
      this.remove({ companyId, id: memberId }, signal),
    );
  }

  /** Rejects when a file was added meanwhile; the job is then run again. */
  private async remove(member: MemberAddress, signal: AbortSignal): Promise<void> {
    for (const clear of this.data.clearances) await clear(member, signal);
    // After the clearances, which stop writers of files.
    await this.files.removeAll(member, signal);
    await this.database.transaction(member.companyId, async (tx) => {
      // From here on no row can refer to them. Foreign keys delete their rows.
      if (!(await this.rows.lock(tx, { id: member.id }, 'FOR UPDATE'))) return;
      await this.files.requireNone(tx, member.id);
      await this.events.emit(tx, memberLeaving, member.id);
      await this.rows.delete(tx, { id: member.id });
    });
    // Only a system transaction may change the audit. When it fails, the job is run again.
    await this.database.systemTransaction((tx) => this.rows.anonymizeAudit(tx, member));
  }
}
