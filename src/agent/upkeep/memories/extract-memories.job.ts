import { z } from 'zod';

import type { Job } from '../../../jobs/job-queue.js';

const ExtractedTurn = z.object({ companyId: z.uuid(), turnId: z.uuid() });

export type ExtractedTurn = z.output<typeof ExtractedTurn>;

/** Notes what the member said in a turn that is worth knowing later, after the turn has ended. */
export const extractMemories: Job<ExtractedTurn> = {
  name: 'extract-memories',
  data: ExtractedTurn,
  keyOf: ({ turnId }) => turnId,
  // One question to a model, with its own time, and the room that it may have to wait for.
  maxSeconds: 120,
  // None of them is done with before all are: a slow model holds up few others.
  atATime: 8,
};
