import { createUnionType, Field, InterfaceType, ObjectType } from '@nestjs/graphql';

import { Nullable } from '../../../common/schema/nullable.js';
import { DateTime } from '../../../common/schema/scalars.js';
import type { Conversation } from '../../conversation.entity.js';
import { ConversationModel } from '../../conversation.model.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import type { StartTurnOutcome } from './turn-starts.service.js';

@InterfaceType({
  description: 'A refusal that a client acts upon.',
  resolveType: (outcome: StartTurnOutcome) => modelOf[outcome.type].name,
})
export abstract class Refusal {
  @Field(() => String, { description: 'For people.' })
  message!: string;
}

@ObjectType({ description: 'The question is stored and will be answered.' })
export class TurnAccepted {
  @Field(() => TurnModel, { description: 'The turn that answers it.' })
  turn!: Turn;

  @Field(() => ConversationModel, { description: 'The conversation it belongs to.' })
  conversation!: Conversation;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'The conversation is busy, and REJECT was asked for.',
})
export class TurnInProgress extends Refusal {
  @Field(() => TurnModel, {
    description: 'The turn that keeps it busy, the first of them: never one in the background.',
  })
  activeTurn!: Turn;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'The idempotency key was used for another question.',
})
export class IdempotencyConflict extends Refusal {
  @Field(() => TurnModel, { description: 'The turn that was started with the key.' })
  firstTurn!: Turn;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'What was granted to the member or the company is used up.',
})
export class QuotaExceeded extends Refusal {
  @Nullable(() => DateTime, 'When there will be more; null when nobody can tell.')
  resetsAt!: Date | null;
}

const modelOf = {
  accepted: TurnAccepted,
  'in-progress': TurnInProgress,
  'idempotency-conflict': IdempotencyConflict,
  'quota-exceeded': QuotaExceeded,
} as const satisfies Record<StartTurnOutcome['type'], abstract new () => object>;

export const StartTurnResult = createUnionType({
  name: 'StartTurnResult',
  description: 'A turn, or a refusal that a client acts upon.',
  types: () => [TurnAccepted, TurnInProgress, IdempotencyConflict, QuotaExceeded] as const,
  resolveType: (outcome: StartTurnOutcome) => modelOf[outcome.type],
});
