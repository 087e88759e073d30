import { z } from 'zod';

import { defineJob } from '../../platform/jobs/job-queue.js';

const AskedAnalysis = z.object({ companyId: z.uuid(), analysisId: z.uuid() });

export type AskedAnalysis = z.output<typeof AskedAnalysis>;

/** The longest run of the job: its time slice, and the model calls that are under way at its end. */
export const MAX_SECONDS = 180;

/** Continues the analysis of a document for a time slice, then enqueues itself again. */
export const analyzeDocument = defineJob({
  name: 'analyze-document',
  data: AskedAnalysis,
  keyOf: ({ analysisId }) => analysisId,
  maxSeconds: MAX_SECONDS,
  // Jobs run side by side without waiting for others of a batch.
  atATime: 1,
  workers: { all: 4, ofOneCompany: 3, companyOf: ({ companyId }) => companyId },
});

/** The topic that wakes those who wait for an analysis. */
export function analysisTopic(analysisId: string): string {
  return `analysis.${analysisId}`;
}
