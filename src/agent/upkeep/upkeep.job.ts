import { z } from 'zod';

import { defineJob } from '../../platform/jobs/job-queue.js';

/** A company's own provider may be slow or silent. Others must not wait for it. */
const WORKERS = { all: 8, ofOneCompany: 3 };

const KeptTurn = z.object({
  companyId: z.uuid(),
  turnId: z.uuid(),
  /** How many of the last messages are sent unchanged. Default: as many as a prompt has at most. */
  window: z.int().min(1).optional(),
});

export type KeptTurn = z.output<typeof KeptTurn>;

/** After a turn: names the conversation, and summarises messages that left the recent window. */
export const keepConversation = defineJob({
  name: 'keep-conversation',
  data: KeptTurn,
  keyOf: ({ turnId }) => turnId,
  // Time for a title, a summary and some batches, each with its own limit.
  maxSeconds: 300,
  atATime: 1,
  workers: { ...WORKERS, companyOf: ({ companyId }) => companyId },
});

const ExtractedTurn = z.object({ companyId: z.uuid(), turnId: z.uuid() });

export type ExtractedTurn = z.output<typeof ExtractedTurn>;

/** After a turn: notes what the member said that is worth remembering. */
export const extractMemories = defineJob({
  name: 'extract-memories',
  data: ExtractedTurn,
  keyOf: ({ turnId }) => turnId,
  // Time for one question to a model, including the wait for a place.
  maxSeconds: 120,
  atATime: 1,
  workers: { ...WORKERS, companyOf: ({ companyId }) => companyId },
});
