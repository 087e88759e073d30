import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const ErasureOfCompany = z.object({ companyId: z.uuid(), erasureId: z.uuid() });

/** Erases what was forgotten from what turns keep: prompts, skill calls, approvals and the events that tell of them. */
export const eraseTraces: Job<z.output<typeof ErasureOfCompany>> = {
  name: 'erase-traces',
  data: ErasureOfCompany,
  keyOf: ({ erasureId }) => erasureId,
  maxSeconds: 300,
  // Each reads a member's turns one after the other.
  atATime: 2,
};
