import { z } from 'zod';

import { defineJob } from '../../platform/jobs/job-queue.js';

const KeptTurn = z.object({
  companyId: z.uuid(),
  turnId: z.uuid(),
  /** How many of the last messages are sent as they are; left out: as many as a prompt holds at most. */
  window: z.int().min(1).optional(),
});

export type KeptTurn = z.output<typeof KeptTurn>;

/** Names a conversation and sums up what left its window of recent messages, after a turn of it has ended. */
export const keepConversation = defineJob({
  name: 'keep-conversation',
  data: KeptTurn,
  keyOf: ({ turnId }) => turnId,
  // A title and a summary, each with its own time, and some more rounds of a summary.
  maxSeconds: 300,
  // None of them is done with before all are: a slow model holds up few others.
  atATime: 8,
});

const ExtractedTurn = z.object({ companyId: z.uuid(), turnId: z.uuid() });

export type ExtractedTurn = z.output<typeof ExtractedTurn>;

/** Notes what the member said in a turn that is worth knowing later, after the turn has ended. */
export const extractMemories = defineJob({
  name: 'extract-memories',
  data: ExtractedTurn,
  keyOf: ({ turnId }) => turnId,
  // One question to a model, with its own time, and the room that it may have to wait for.
  maxSeconds: 120,
  atATime: 8,
});
