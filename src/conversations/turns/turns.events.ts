import { defineEvent } from '../../platform/events/domain-events.js';
import type { PendingInput } from './inputs/pending-input.entity.js';
import type { TurnOutcome } from './turn-event.js';
import type { Turn } from './turn.entity.js';

/** `turn`: as it stood before it ended. */
export const turnEnded = defineEvent<{ turn: Turn; outcome: TurnOutcome }>('turns.ended');

/** A turn waits for people to give these. */
export const inputsRequested = defineEvent<{ turn: Turn; inputs: readonly PendingInput[] }>(
  'turns.inputs-requested',
);

/** Nothing of what the turn waited for is open any more: it goes on. Carries its id. */
export const inputsSettled = defineEvent<string>('turns.inputs-settled');

/** A question takes the place of these turns of its conversation, which are to end before it is stored. */
export const turnsSuperseded = defineEvent<readonly Turn[]>('turns.superseded');

/** A question with images is about to be stored. Refused where the assistant’s model sees none; `path`: their argument. */
export const imagesAttached = defineEvent<{ assistantId: string; path: readonly string[] }>(
  'turns.images-attached',
);
