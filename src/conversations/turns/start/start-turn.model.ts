import { createUnionType, Field, InputType, Int, InterfaceType, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';
import { MAX_SCHEMA_CHARACTERS } from '@palabre/json-schema';

import { enumType, Nullable, DateTime, ID, Json } from '../../../common/schema/fields.js';
import type { Conversation } from '../../conversation.repository.js';
import { ConversationModel } from '../../conversation.model.js';
import type { Turn } from '../turn.entity.js';
import { TurnModel } from '../turn.model.js';
import {
  MAX_ATTACHMENTS,
  MAX_DOCUMENTS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
  type WhenBusy as WhenBusyName,
} from './start-turn.js';
import {
  DEFAULT_CLIENT_SKILL_SECONDS,
  MAX_CLIENT_SKILL_SECONDS,
  MAX_CLIENT_SKILLS,
  MAX_CLIENT_SKILLS_CHARACTERS,
  MAX_DESCRIPTION_CHARACTERS,
} from './client-skills.js';
import type { StartTurnOutcome } from './turn-starts.service.js';

const WhenBusy = enumType<WhenBusyName>(
  'WhenBusy',
  'What to do if the conversation is busy: if it has a turn that is running, queued or waiting for people. A turn in the background does not make it busy.',
  {
    REJECT: 'Return TurnInProgress and store nothing.',
    ENQUEUE: 'Queue the turn, in order of asking.',
    INTERRUPT:
      'End the turns that keep it busy as SUPERSEDED, and run first. Background turns continue; cancelTurn ends them.',
  },
);

@InputType({ description: 'A skill that the client runs: see ClientSkillCall.' })
export class ClientSkillInput {
  @Field(() => String, {
    description:
      'Its name for the model: 1 to 64 letters, digits, underscores and hyphens. Not a key of the company’s skills.',
  })
  key!: string;

  @Field(() => String, {
    description: `For the model: what the skill does and when to use it. At most ${MAX_DESCRIPTION_CHARACTERS} characters.`,
  })
  description!: string;

  @Field(() => Json, { description: 'The JSON Schema (2020-12) of the arguments, of type object.' })
  parameters!: JsonObject;

  @Field(() => Int, {
    nullable: true,
    defaultValue: DEFAULT_CLIENT_SKILL_SECONDS,
    description: `The client’s time to answer a call: 1 to ${MAX_CLIENT_SKILL_SECONDS} seconds. Then the model is told that there was no answer.`,
  })
  timeoutSeconds?: number | null;
}

@InputType({ isAbstract: true })
abstract class AnyQuestion {
  @Field(() => WhenBusy, {
    nullable: true,
    defaultValue: WhenBusy.ENQUEUE,
    description: 'What to do if the conversation is busy. A turn in the background does not make it busy.',
  })
  whenBusy?: WhenBusyName | null;

  @Nullable(
    () => String,
    `The same key with the same payload returns the same turn, and with another payload IdempotencyConflict. 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters.`,
  )
  idempotencyKey?: string | null;
}

@InputType({ description: 'A question.' })
export class StartTurnInput extends AnyQuestion {
  @Nullable(
    () => ID,
    'The conversation. Null: a new one with assistantKey. NOT_FOUND if it is not the viewer’s.',
  )
  conversationId?: string | null;

  @Nullable(
    () => String,
    'The assistant that answers. Required for a new conversation. Otherwise it must be the conversation’s own.',
  )
  assistantKey?: string | null;

  @Field(() => String, {
    description: `1 to ${MAX_MESSAGE_CHARACTERS} characters, at least one of them visible.`,
  })
  message!: string;

  @Nullable(
    () => [ID],
    `Limits the turn to these documents, at most ${MAX_DOCUMENTS}. It reads no others. Documents that are still being processed do not delay it; the answer mentions them.`,
  )
  documentIds?: string[] | null;

  @Nullable(
    () => [ID],
    `Attachments of the viewer, at most ${MAX_ATTACHMENTS}, of this conversation or of none yet. Null with replacesMessageId: those of that question.`,
  )
  attachmentIds?: string[] | null;

  @Nullable(
    () => [ClientSkillInput],
    `The skills that the client runs for this turn: at most ${MAX_CLIENT_SKILLS}, and ${MAX_CLIENT_SKILLS_CHARACTERS} characters of JSON in total. regenerate keeps them.`,
  )
  clientSkills?: ClientSkillInput[] | null;

  @Nullable(
    () => ID,
    'The message before the question. Null: the last message of the shown path. Existing replies to it stay as another branch.',
  )
  parentId?: string | null;

  @Nullable(
    () => ID,
    'The question to replace. The new version becomes another branch in the same place. Not allowed together with parentId.',
  )
  replacesMessageId?: string | null;

  @Nullable(
    () => Json,
    `The JSON Schema (2020-12) of the answer: type object, at most ${MAX_SCHEMA_CHARACTERS} characters, local references only. The answer is then JSON with a DataPart. If it does not fit, the turn fails with ANSWER_INVALID. Null: free text.`,
  )
  answerSchema?: JsonObject | null;
}

@InputType({ description: 'A question to answer again.' })
export class RegenerateInput extends AnyQuestion {
  @Field(() => ID, { description: 'The answer to regenerate, or its question.' })
  messageId!: string;

  @Nullable(
    () => String,
    'The assistant that answers. Default: the conversation’s, which answers later questions in any case. BAD_USER_INPUT if it is archived.',
  )
  assistantKey?: string | null;
}

@InterfaceType({
  description: 'A refusal that a client can act on.',
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

  @Field(() => ConversationModel, { description: 'The conversation of the turn.' })
  conversation!: Conversation;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'The conversation is busy, and whenBusy is REJECT.',
})
export class TurnInProgress extends Refusal {
  @Field(() => TurnModel, {
    description: 'The first turn that keeps it busy. Never a turn in the background.',
  })
  activeTurn!: Turn;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'The idempotency key was already used for another question.',
})
export class IdempotencyConflict extends Refusal {
  @Field(() => TurnModel, { description: 'The turn that was started with this key.' })
  firstTurn!: Turn;
}

@ObjectType({
  implements: () => [Refusal],
  description: 'The quota of the member or the company is used up.',
})
export class QuotaExceeded extends Refusal {
  @Nullable(() => DateTime, 'When quota becomes available again. Null if unknown.')
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
  description: 'A turn, or a refusal that a client can act on.',
  types: () => [TurnAccepted, TurnInProgress, IdempotencyConflict, QuotaExceeded] as const,
  resolveType: (outcome: StartTurnOutcome) => modelOf[outcome.type],
});
