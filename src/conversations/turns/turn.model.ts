import type { ChatMessage, ToolSpec } from '@palabre/llm-client';
import { Field, Int, ObjectType, Float } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { enumType, Node, Nullable, DateTime, ID, Json } from '../../common/schema/fields.js';
import type * as events from './turn-event.js';
import {
  type ModelCallPurpose as ModelCallPurposeName,
  type TurnError as TurnErrorRow,
  turnErrorCodes,
} from './turn-event.js';

// Each is the GraphQL enum, and the type of its values.

export const TurnStatus = enumType<events.TurnStatus>('TurnStatus', 'How a turn stands.', {
  QUEUED: 'It waits to be run.',
  RUNNING: 'It is being answered.',
  WAITING_FOR_APPROVAL: 'It waits for people to allow skills, and for nothing else.',
  WAITING_FOR_INPUT: 'It waits for its member to give something, and maybe for approvals: see pendingInputs.',
  IN_BACKGROUND: 'It goes on without anybody having to wait for it.',
  COMPLETED: 'It was answered.',
  FAILED: 'It could not be answered: see error.',
  CANCELLED: 'It was ended early; what there was of the answer is kept.',
});
export type TurnStatus = events.TurnStatus;

export const FinishReason = enumType<events.FinishReason>('FinishReason', 'Why a turn ended.', {
  ANSWERED: 'The model had answered.',
  MAX_STEPS: 'Its budget of model calls was spent; it answered with what it had.',
  MAX_SECONDS: 'Its budget of time was spent; it answered with what it had.',
  MAX_TOKENS: 'The answer was cut at the limit of tokens.',
  CANCELLED: 'Somebody cancelled it.',
  SUPERSEDED: 'A later question of the conversation interrupted it.',
  ERROR: 'It failed.',
});
export type FinishReason = events.FinishReason;

export const SkillCallStatus = enumType<events.SkillCallStatus>(
  'SkillCallStatus',
  'How a skill call stands.',
  {
    RUNNING: 'It is being carried out.',
    SUCCEEDED: 'It gave a result.',
    FAILED: 'It gave an error, which the model was told.',
    DENIED: 'A person did not allow it.',
    UNKNOWN: 'It was broken off: nobody knows what it did.',
  },
);
export type SkillCallStatus = events.SkillCallStatus;

export const TextResetReason = enumType<events.TextResetReason>('TextResetReason', 'Why text is withdrawn.', {
  RETRIED: 'The step is being run again, or the text was thoughts of the model.',
  PREAMBLE: 'The text led up to a skill call and is not the answer.',
});
export type TextResetReason = events.TextResetReason;

export const PlanAction = enumType<events.PlanAction>('PlanAction', 'What a planner chose.', {
  CALL_SKILL: 'To find out more by a skill.',
  SYNTHESIZE: 'To write the answer.',
  CONTINUE_IN_BACKGROUND: 'To go on without the asker having to wait.',
});
export type PlanAction = events.PlanAction;

export const PendingStatus = enumType<events.PendingStatus>(
  'PendingStatus',
  'How something stands that a turn waits for.',
  {
    PENDING: 'Nobody has answered yet.',
    APPROVED: 'It was allowed.',
    DENIED: 'It was not allowed.',
    EXPIRED:
      'Nobody answered in time, which counts as declined or not allowed; of an approval also that its turn has ended.',
    ANSWERED: 'It was given, or by a front end told why it cannot be.',
    DECLINED: 'The member did not want to give it.',
    CANCELLED: 'Its turn has ended: no answer is needed any more.',
  },
);
export type PendingStatus = events.PendingStatus;

export const PendingInputKind = enumType<events.PendingInputKind>(
  'PendingInputKind',
  'What a turn waits for somebody to give.',
  {
    APPROVAL: 'Leave to carry out a skill.',
    QUESTION: 'An answer to a question of the model.',
    CLIENT_SKILL: 'What came of a skill that the front end carries out.',
    MCP_INPUT: 'What an MCP server wants to know of the member.',
  },
);
export type PendingInputKind = events.PendingInputKind;

@ObjectType({ description: 'What a turn used up.' })
export class Usage {
  @Field(() => Int, { description: 'Tokens read by the model, over all its calls.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'Tokens written by the model, over all its calls.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'Of the tokens read, those the provider had cached.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'Calls of the model.' })
  modelCalls!: number;

  @Field(() => Int, { description: 'Calls of skills.' })
  skillCalls!: number;

  @Nullable(() => Float, 'In US dollars; null while no price is known for the model.')
  costUsd!: number | null;
}

export const TurnErrorCode = enumType<TurnErrorRow['code']>('TurnErrorCode', 'Why a turn failed.', {
  MODEL_UNAVAILABLE: 'The model could not be reached, or gave no answer.',
  MODEL_REFUSED: 'The model declined to answer.',
  CONTEXT_TOO_LARGE: 'What was to be told is longer than the model takes.',
  RATE_LIMITED: 'What was granted is used up.',
  ANSWER_INVALID: 'The answer did not fit the schema that was asked for. Its text is kept.',
  LEASE_LOST: 'The process that answered was lost several times.',
  INTERNAL: 'Something went wrong.',
});

@ObjectType({ description: 'Why a turn failed.' })
export class TurnError {
  @Field(() => String, {
    deprecationReason: 'Use codeValue.',
    description: `${turnErrorCodes.join(', ')}; there may be more one day. RATE_LIMITED: what was granted is used up.`,
  })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether asking again may help.' })
  retryable!: boolean;
}

@ObjectType('SkillCall', { description: 'A skill that the model asked for.' })
export class SkillCallModel {
  @Field(() => ID, { description: 'The callId of the events.' })
  id!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, { description: 'What it was called with: a JSON object.' })
  arguments!: JsonObject;

  @Field(() => SkillCallStatus, { description: 'How it stands.' })
  status!: SkillCallStatus;

  @Nullable(() => String, 'The beginning of the result, for people; null while it runs.')
  resultPreview!: string | null;

  @Field(() => DateTime, { description: 'When it was begun.' })
  startedAt!: Date;

  @Nullable(() => DateTime, 'Null while it runs.')
  finishedAt!: Date | null;
}

@ObjectType('Turn', {
  implements: () => [Node],
  description: 'A question and all that is done until it is answered.',
})
export class TurnModel extends Node {
  @Field(() => ID, { description: 'Who asked.' })
  memberId!: string;

  @Field(() => TurnStatus, { description: 'How it stands.' })
  status!: TurnStatus;

  @Nullable(() => FinishReason, 'Null until it has ended.')
  finishReason!: FinishReason | null;

  @Nullable(() => TurnError, 'Null unless it failed.')
  error!: TurnErrorRow | null;

  @Field(() => Int, { description: 'The sequence of its last event.' })
  lastSequence!: number;

  @Field(() => [ID], {
    description: 'The documents that it is restricted to, also those deleted since; none: it is not.',
  })
  documentIds!: string[];

  @Field(() => Json, {
    nullable: true,
    complexity: 20,
    description: 'The JSON Schema that the answer has to fit; null: it is free.',
  })
  answerSchema!: JsonObject | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The schedule that asked, also when it was deleted since; null: a member did.',
  })
  scheduleId!: string | null;

  @Field(() => DateTime, { description: 'When it was asked.' })
  createdAt!: Date;

  @Nullable(() => DateTime, 'Null until it is first run.')
  startedAt!: Date | null;

  @Nullable(() => DateTime, 'Null until it has ended.')
  finishedAt!: Date | null;
}

const ModelCallPurpose = enumType<ModelCallPurposeName>('ModelCallPurpose', 'What a model was called for.', {
  ANSWER: 'To answer, or to ask for skills on the way.',
  PLAN: 'To decide the next step.',
  SYNTHESIS: 'To answer from all that the steps have found.',
  SUMMARY: 'To sum up what left the window of recent messages.',
  TITLE: 'To name the conversation.',
  MEMORY: 'To note what the member said that is worth knowing later.',
  ANALYSIS: 'To analyse a document that the member asked about.',
});

@ObjectType('ModelCall', {
  description:
    'One call of a model in a turn: exactly what it was sent, and what it used up. Kept as long as events.',
})
export class ModelCallModel {
  @Field(() => ID, { description: 'Later calls have larger ids.' })
  id!: string;

  @Field(() => ModelCallPurpose, { description: 'What it was for.' })
  purpose!: ModelCallPurposeName;

  @Field(() => String, { description: 'The model that was called.' })
  model!: string;

  @Field(() => Json, { description: 'The prompt: messages with role and content, as they were sent.' })
  messages!: ChatMessage[];

  @Field(() => Json, { description: 'The skills that the model was offered, with their JSON Schemas.' })
  tools!: ToolSpec[];

  @Field(() => Int, { description: 'Tokens that were sent.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'Tokens that were answered, reasoning included.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'Of those sent, the ones that the provider had kept from before.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'Of those answered, the ones that were reasoning and are not shown.' })
  reasoningTokens!: number;

  @Field(() => Boolean, { description: 'True: the provider did not count, and the tokens are estimated.' })
  estimated!: boolean;

  @Nullable(() => Float, 'In US dollars; null when the model has no price.')
  costUsd!: number | null;

  @Field(() => String, {
    description: 'Why the model stopped, such as stop or tool-calls, or the code of what went wrong.',
  })
  outcome!: string;

  @Field(() => Int, { description: 'From the request to the end of the answer, in milliseconds.' })
  durationMs!: number;

  @Field(() => DateTime, { description: 'When it was begun.' })
  at!: Date;
}
