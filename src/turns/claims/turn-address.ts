import { z } from 'zod';

/** Which turn a hint is about. */
export const TurnAddress = z.object({ companyId: z.uuid(), turnId: z.uuid() });
export type TurnAddress = z.output<typeof TurnAddress>;

/** Hints between those who take questions and those who run turns; the rows say what is true. */
export const turnTopics = { queued: 'turn.queued', stop: 'turn.stop' } as const;
