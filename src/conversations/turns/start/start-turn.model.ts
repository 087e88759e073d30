import { createUnionType, Field, InputType, Int, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Nullable, DateTime, ID, Json } from '../../../common/schema/fields.js';
import type { Conversation } from '../../conversation.repository.js';
import { ConversationModel } from '../../conversation.model.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARACTERS, type WhenBusy as WhenBusyName } from './start-turn.js';
import { DEFAULT_CLIENT_SKILL_SECONDS, MAX_CLIENT_SKILL_SECONDS } from './client-skills.js';
import type { StartTurnOutcome } from './turn-starts.service.js';

const WhenBusy = enumType<WhenBusyName>(
  'WhenBusy',
  'What to do when the conversation is busy: when it has a turn under way, waiting for people, or in line. One that was moved to the background does not keep it busy.',
  {
    REJECT: 'Answer TurnInProgress and store nothing.',
    ENQUEUE: 'Wait in line, in the order of asking.',
    INTERRUPT:
      'End the turns that keep it busy as SUPERSEDED, and go first. One in the background goes on; cancelTurn ends it.',
  },
);

@InputType({ description: 'A skill that the front end of a turn carries out: see ClientSkillCall.' })
export class ClientSkillInput {
  @Field(() => String, {
    description:
      'Its name for the model: 1 to 64 letters, digits, underscores and hyphens. Not that of a skill of the company.',
  })
  key!: string;

  @Field(() => String, {
    description: 'For the model, what it does and when to use it: at most 2000 characters.',
  })
  description!: string;

  @Field(() => Json, { description: 'JSON Schema (2020-12) of its arguments, of type object.' })
  parameters!: JsonObject;

  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_CLIENT_SKILL_SECONDS,
    description: `How long the front end has to answer a call: 1 to ${MAX_CLIENT_SKILL_SECONDS} seconds. Then the model is told that nothing came.`,
  })
  timeoutSeconds?: number | null;
}

@InputType({ isAbstract: true })
abstract class AnyQuestion {
  @Field(() => WhenBusy, {
    nullable: true,
    defaultValue: WhenBusy.ENQUEUE,
    description: 'What to do when the conversation is busy, which a turn in the background does not make it.',
  })
  whenBusy?: WhenBusyName | null;

  @Nullable(
    () => String,
    'Same key and same payload: the same turn; another payload: IdempotencyConflict. 1 to 200 characters.',
  )
  idempotencyKey?: string | null;
}

@InputType({ description: 'A question.' })
export class StartTurnInput extends AnyQuestion {
  @Nullable(
    () => ID,
    'Null: a new conversation, with assistantKey. NOT_FOUND for any other that is not the viewer’s.',
  )
  conversationId?: string | null;

  @Nullable(() => String, 'Who is to answer; needed for a new conversation only.')
  assistantKey?: string | null;

  @Field(() => String, {
    description: `1 to ${MAX_MESSAGE_CHARACTERS} characters, of which people see some.`,
  })
  message!: string;

  @Nullable(
    () => [ID],
    'Restricts the turn to these documents, at most 100; others are not read in it. One that is still being read does not hold it up: the answer says so.',
  )
  documentIds?: string[] | null;

  @Nullable(
    () => [ID],
    `Attachments of the viewer’s, at most ${MAX_ATTACHMENTS}: of this conversation, or of none yet. Null with replacesMessageId: those of that question.`,
  )
  attachmentIds?: string[] | null;

  @Nullable(
    () => [ClientSkillInput],
    'What whoever follows the turn carries out for it: at most 20 skills, of 64,000 characters of JSON together. regenerate keeps them.',
  )
  clientSkills?: ClientSkillInput[] | null;

  @Nullable(
    () => ID,
    'The message that the question follows; null: the last of the path that is shown. What followed it so far stays, as another branch.',
  )
  parentId?: string | null;

  @Nullable(
    () => ID,
    'The question is a new version of this one: it stands in its place, as another branch. Not together with parentId.',
  )
  replacesMessageId?: string | null;

  @Nullable(
    () => Json,
    'What the answer has to fit: a JSON Schema (2020-12) of type object, at most 64,000 characters, with local references alone. The answer then is JSON with a DataPart; one that does not fit fails the turn with ANSWER_INVALID. Null: the answer is free.',
  )
  answerSchema?: JsonObject | null;
}

@InputType({ description: 'A question to be answered once more.' })
export class RegenerateInput extends AnyQuestion {
  @Field(() => ID, { description: 'An answer, or the question itself.' })
  messageId!: string;

  @Nullable(
    () => String,
    'Who is to answer, if not the conversation’s assistant, which answers what follows all the same. BAD_USER_INPUT if it is archived.',
  )
  assistantKey?: string | null;
}

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
