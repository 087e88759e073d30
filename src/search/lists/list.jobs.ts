import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const ListedScope = z.object({ companyId: z.uuid(), scopeId: z.int() });

export type ListedScope = z.output<typeof ListedScope>;

/** Takes what is new in a scope into its lists. */
export const indexSearch: Job<ListedScope> = {
  name: 'index-search',
  data: ListedScope,
  keyOf: ({ scopeId }) => `${scopeId}`,
  // It stops by itself long before, and goes on in another job.
  maxSeconds: 300,
  atATime: 4,
};

/** Takes what is gone from a scope out of its lists. */
export const compactSearch: Job<ListedScope> = {
  name: 'compact-search',
  data: ListedScope,
  keyOf: ({ scopeId }) => `${scopeId}`,
  maxSeconds: 300,
  atATime: 4,
};
