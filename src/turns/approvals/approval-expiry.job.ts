import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const TurnOfCompany = z.object({ companyId: z.uuid(), turnId: z.uuid() });

/** Denies the questions of a turn that were not answered in time. */
export const expireApprovals: Job<z.output<typeof TurnOfCompany>> = {
  name: 'expire-approvals',
  data: TurnOfCompany,
  keyOf: ({ turnId }) => turnId,
};
