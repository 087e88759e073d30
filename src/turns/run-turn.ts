import { z } from 'zod';

import type { Job } from '../jobs/job-queue.js';

/** A turn to be run, as job and as hint. */
export const TurnAddress = z.object({ companyId: z.uuid(), turnId: z.uuid() });
export type TurnAddress = z.output<typeof TurnAddress>;

/**
 * Looks after a turn until it has ended: claims it when nobody has, or when its owner is gone. The replica that
 * took the question claims it without waiting for this.
 */
export const runTurn: Job<TurnAddress> = {
  name: 'run-turn',
  data: TurnAddress,
  keyOf: ({ turnId }) => turnId,
};

/** Hints between those who take questions and those who run turns; the rows say what is true. */
export const turnTopics = { queued: 'turn.queued', stop: 'turn.stop' } as const;

/** How long the replica that took a question has to claim it before others are asked to. */
export const FIRST_LOOK_SECONDS = 5;
