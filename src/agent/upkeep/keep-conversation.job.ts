import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const TurnOfCompany = z.object({ companyId: z.uuid(), turnId: z.uuid() });

/** Names a conversation and sums up what left its window of recent messages, after a turn of it has ended. */
export const keepConversation: Job<z.output<typeof TurnOfCompany>> = {
  name: 'keep-conversation',
  data: TurnOfCompany,
  keyOf: ({ turnId }) => turnId,
  // A title and a summary, each with its own time, and some more rounds of a summary.
  maxSeconds: 300,
};
