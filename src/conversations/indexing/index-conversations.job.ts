import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const Unindexed = z.object({ companyId: z.uuid() });

/** Has what was said before recall was switched on found as well: all of a company that is to be and is not. */
export const indexConversations: Job<z.output<typeof Unindexed>> = {
  name: 'index-conversations',
  data: Unindexed,
  keyOf: ({ companyId }) => companyId,
  // What is not done by then goes on from there.
  maxSeconds: 600,
  atATime: 2,
};
