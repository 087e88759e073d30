import { defineEvent } from '../../platform/events/domain-events.js';
import type { PendingInput } from './inputs/pending-input.entity.js';
import type { TurnOutcome } from './turn-event.js';
import type { Turn } from './turn.entity.js';

/** `turn`: its state before the end. */
export const turnEnded = defineEvent<{ turn: Turn; outcome: TurnOutcome }>('turns.ended');

/** A turn waits for people to answer these. */
export const inputsRequested = defineEvent<{ turn: Turn; inputs: readonly PendingInput[] }>(
  'turns.inputs-requested',
);

/** A turn has no more open inputs and continues. Carries its id. */
export const inputsSettled = defineEvent<string>('turns.inputs-settled');

/** A question replaces these turns of its conversation. They end before it is stored. */
export const turnsSuperseded = defineEvent<readonly Turn[]>('turns.superseded');

/** A question with images will be stored. Listeners refuse it for a model without vision. `path`: the argument. */
export const imagesAttached = defineEvent<{ assistantId: string; path: readonly string[] }>(
  'turns.images-attached',
);
