import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { JobQueue } from '../../jobs/job-queue.js';
import { expireApprovals } from './approval-expiry.job.js';
import { Approvals } from './approvals.service.js';

/** Has questions expire, in processes that work. */
@Injectable()
export class ApprovalExpiry implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly approvals: Approvals,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(expireApprovals, ({ companyId, turnId }) =>
      this.approvals.expire(companyId, turnId),
    );
  }
}
