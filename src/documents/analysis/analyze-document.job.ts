import { z } from 'zod';

import type { Job } from '../../jobs/job-queue.js';

const AskedAnalysis = z.object({ companyId: z.uuid(), analysisId: z.uuid() });

export type AskedAnalysis = z.output<typeof AskedAnalysis>;

/** As long as one goes on at a time, and the last calls of a model that it has begun. */
export const MOST_SECONDS = 180;

/** Goes on with the analysis of a document, for some time, and puts itself in line again. */
export const analyzeDocument: Job<AskedAnalysis> = {
  name: 'analyze-document',
  data: AskedAnalysis,
  keyOf: ({ analysisId }) => analysisId,
  maxSeconds: MOST_SECONDS,
  // A server that dies is noticed soon after.
  heartbeatSeconds: 15,
  // Several go on side by side, and none waits for the others of its batch.
  atATime: 1,
};
