import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const Address = z.object({ companyId: z.uuid(), contentId: z.uuid() });

/** Which content of which company. */
export type ContentAddress = z.output<typeof Address>;

/** Makes passages of what has come. Whatever it takes to read a file is limited further down. */
export const processDocument: Job<ContentAddress> = {
  name: 'process-document',
  data: Address,
  keyOf: ({ contentId }) => contentId,
  maxSeconds: 3_600,
  // A server that dies is noticed soon after.
  heartbeatSeconds: 15,
  // Several go on side by side, and none waits for the others of its batch.
  atATime: 1,
};
