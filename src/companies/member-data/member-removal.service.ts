import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Database } from '../../database/database.js';
import { StoredFilesService } from '../../files/stored-files.service.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { eraseMember } from './erase-member.job.js';
import { type MemberAddress, MemberData } from './member-data.js';
import { MemberDataRepository } from './member-data.repository.js';

/** Removes members who are to be erased, in processes that work. */
@Injectable()
export class MemberRemoval implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly data: MemberData,
    private readonly rows: MemberDataRepository,
    private readonly files: StoredFilesService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(eraseMember, ({ companyId, memberId }, signal) =>
      this.remove({ companyId, id: memberId }, signal),
    );
  }

  /** Rejects when something became theirs meanwhile: it is all done again then. */
  private async remove(member: MemberAddress, signal: AbortSignal): Promise<void> {
    for (const clear of this.data.clearances) await clear(member, signal);
    // After what writes them.
    await this.files.removeAll(member, signal);
    await this.database.transaction(member.companyId, async (tx) => {
      if (!(await this.rows.hold(tx, member.id))) return;
      await this.files.requireNone(tx, member.id);
      for (const leave of this.data.leavings) await leave(tx, member.id);
      await this.rows.leaveAudit(tx, member.id);
      await this.rows.delete(tx, member.id);
    });
  }
}
