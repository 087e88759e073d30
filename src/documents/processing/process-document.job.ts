import { z } from 'zod';

import { defineJob } from '../../platform/jobs/job-queue.js';

const Address = z.object({ companyId: z.uuid(), contentId: z.uuid() });

export type ContentAddress = z.output<typeof Address>;

/** Processes an uploaded content. The parser has its own limits of time and memory. */
export const processDocument = defineJob({
  name: 'process-document',
  data: Address,
  keyOf: ({ contentId }) => contentId,
  maxSeconds: 3_600,
  // Jobs run side by side without waiting for others of a batch.
  atATime: 1,
  // Each reads in a process of its own, for up to two minutes.
  workers: { all: 3, ofOneCompany: 2, companyOf: ({ companyId }) => companyId },
});
