import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { expireApprovals } from './approval-expiry.job.js';
import { Approvals } from './approvals.service.js';

/** Has questions expire, in processes that work. */
@Injectable()
export class ApprovalExpiry implements OnApplicationBootstrap {
  constructor(
    private readonly config: Config,
    private readonly jobs: JobQueue,
    private readonly approvals: Approvals,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.role === 'api') return;
    await this.jobs.work(expireApprovals, ({ companyId, turnId }) =>
      this.approvals.expire(companyId, turnId),
    );
  }
}
