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

// Each is the GraphQL enum and the type of its values.

export const TurnStatus = enumType<events.TurnStatus>('TurnStatus', 'The status of a turn.', {
  QUEUED: 'It waits to run.',
  RUNNING: 'It is running.',
  WAITING_FOR_APPROVAL: 'It waits only for approvals.',
  WAITING_FOR_INPUT: 'It waits for input from its member, and possibly for approvals: see pendingInputs.',
  IN_BACKGROUND: 'It continues in the background. Nobody has to wait.',
  COMPLETED: 'It was answered.',
  FAILED: 'It failed: see error.',
  CANCELLED: 'It was ended early. If the answer had begun, that part is kept.',
});
export type TurnStatus = events.TurnStatus;

export const FinishReason = enumType<events.FinishReason>('FinishReason', 'Why a turn ended.', {
  ANSWERED: 'The model answered.',
  MAX_STEPS: 'The budget of model calls was used up. It answered with what it had.',
  MAX_SECONDS: 'The time budget was used up. It answered with what it had.',
  MAX_TOKENS: 'The answer was cut off at the token limit.',
  CANCELLED: 'It was cancelled, or the asker lost access.',
  SUPERSEDED: 'A later question in the conversation interrupted it.',
  ERROR: 'It failed.',
});
export type FinishReason = events.FinishReason;

export const SkillCallStatus = enumType<events.SkillCallStatus>(
  'SkillCallStatus',
  'The status of a skill call.',
  {
    RUNNING: 'It is running.',
    SUCCEEDED: 'It returned a result.',
    FAILED: 'It returned an error, and the model was told.',
    DENIED: 'A person denied it.',
    UNKNOWN: 'It was interrupted. Its effects are unknown.',
  },
);
export type SkillCallStatus = events.SkillCallStatus;

export const TextResetReason = enumType<events.TextResetReason>('TextResetReason', 'Why text is discarded.', {
  RETRIED: 'The step runs again, or the text was the model’s reasoning.',
  PREAMBLE: 'The text came before a skill call. It is not the answer.',
});
export type TextResetReason = events.TextResetReason;

export const PlanAction = enumType<events.PlanAction>('PlanAction', 'The decision of a planner.', {
  CALL_SKILL: 'Call a skill to find out more.',
  SYNTHESIZE: 'Write the answer.',
  CONTINUE_IN_BACKGROUND: 'Continue without making the asker wait.',
});
export type PlanAction = events.PlanAction;

export const PendingStatus = enumType<events.PendingStatus>(
  'PendingStatus',
  'The status of an input that a turn waits for.',
  {
    PENDING: 'It is not answered yet.',
    APPROVED: 'It was approved.',
    DENIED: 'It was denied.',
    EXPIRED:
      'There was no answer in time, which counts as declined or denied. For an approval, also that its turn has ended.',
    ANSWERED: 'It was answered. For a client skill, this includes an error.',
    DECLINED: 'The member declined to answer.',
    CANCELLED: 'Its turn has ended, so no answer is needed any more.',
  },
);
export type PendingStatus = events.PendingStatus;

export const PendingInputKind = enumType<events.PendingInputKind>(
  'PendingInputKind',
  'The kinds of input that a turn can wait for.',
  {
    APPROVAL: 'Permission to run a skill.',
    QUESTION: 'An answer to the model’s question.',
    CLIENT_SKILL: 'The outcome of a skill that the client runs.',
    MCP_INPUT: 'Information that an MCP server asks of the member.',
  },
);
export type PendingInputKind = events.PendingInputKind;

@ObjectType({ description: 'The usage of a turn.' })
export class Usage {
  @Field(() => Int, { description: 'Input tokens of all model calls.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'Output tokens of all model calls.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'The input tokens that the provider had cached.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'Model calls.' })
  modelCalls!: number;

  @Field(() => Int, { description: 'Skill calls.' })
  skillCalls!: number;

  @Nullable(() => Float, 'The cost in US dollars. Null while the model’s price is unknown.')
  costUsd!: number | null;
}

export const TurnErrorCode = enumType<TurnErrorRow['code']>('TurnErrorCode', 'Why a turn failed.', {
  MODEL_UNAVAILABLE: 'The model could not be reached or gave no answer.',
  MODEL_REFUSED: 'The model refused to answer.',
  CONTEXT_TOO_LARGE: 'The prompt is longer than the model’s context.',
  RATE_LIMITED: 'A quota is used up.',
  ANSWER_INVALID: 'The answer does not fit the requested schema. Its text is kept.',
  LEASE_LOST: 'The process that ran the turn was lost several times.',
  INTERNAL: 'Internal error.',
});

@ObjectType({ description: 'Why a turn failed.' })
export class TurnError {
  @Field(() => String, {
    deprecationReason: 'Use codeValue.',
    description: `${turnErrorCodes.join(', ')}. More may be added. RATE_LIMITED: a quota is used up.`,
  })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether asking again may help.' })
  retryable!: boolean;
}

@ObjectType('SkillCall', { description: 'A skill call requested by the model.' })
export class SkillCallModel {
  @Field(() => ID, { description: 'The callId in events.' })
  id!: string;

  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;

  @Field(() => Json, { description: 'The arguments, a JSON object.' })
  arguments!: JsonObject;

  @Field(() => SkillCallStatus, { description: 'The current status.' })
  status!: SkillCallStatus;

  @Nullable(() => String, 'The beginning of the result, for people. Null while it runs.')
  resultPreview!: string | null;

  @Field(() => DateTime, { description: 'When it started.' })
  startedAt!: Date;

  @Nullable(() => DateTime, 'Null while it runs.')
  finishedAt!: Date | null;
}

@ObjectType('Turn', {
  implements: () => [Node],
  description: 'A question and all the work until it is answered.',
})
export class TurnModel extends Node {
  @Field(() => ID, { description: 'The asker.' })
  memberId!: string;

  @Field(() => TurnStatus, { description: 'The current status.' })
  status!: TurnStatus;

  @Nullable(() => FinishReason, 'Null until it has ended.')
  finishReason!: FinishReason | null;

  @Nullable(() => TurnError, 'Null unless it failed.')
  error!: TurnErrorRow | null;

  @Field(() => Int, { description: 'The sequence of the last event.' })
  lastSequence!: number;

  @Field(() => [ID], {
    description: 'The documents it is limited to, even deleted ones. Empty: no limit.',
  })
  documentIds!: string[];

  @Field(() => Json, {
    nullable: true,
    complexity: 20,
    description: 'The JSON Schema that the answer must fit. Null: free text.',
  })
  answerSchema!: JsonObject | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The schedule that asked; it may have been deleted. Null if a member asked.',
  })
  scheduleId!: string | null;

  @Field(() => DateTime, { description: 'When it was asked.' })
  createdAt!: Date;

  @Nullable(() => DateTime, 'When it first ran. Null until then.')
  startedAt!: Date | null;

  @Nullable(() => DateTime, 'Null until it has ended.')
  finishedAt!: Date | null;
}

const ModelCallPurpose = enumType<ModelCallPurposeName>('ModelCallPurpose', 'The purpose of a model call.', {
  ANSWER: 'Answer, or request skills first.',
  PLAN: 'Decide the next step.',
  SYNTHESIS: 'Answer from the results of all steps.',
  SUMMARY: 'Summarise messages that left the window of recent messages.',
  TITLE: 'Title the conversation.',
  MEMORY: 'Note what the member said that is worth knowing later.',
  ANALYSIS: 'Analyse a document that the member asked about.',
});

@ObjectType('ModelCall', {
  description: 'One model call of a turn: exactly what was sent, and the usage. Kept as long as events.',
})
export class ModelCallModel {
  @Field(() => ID, { description: 'Later calls have larger ids.' })
  id!: string;

  @Field(() => ModelCallPurpose, { description: 'The purpose.' })
  purpose!: ModelCallPurposeName;

  @Field(() => String, { description: 'The model that was called.' })
  model!: string;

  @Field(() => Json, { description: 'The prompt: messages with role and content, as sent.' })
  messages!: ChatMessage[];

  @Field(() => Json, { description: 'The skills offered to the model, with their JSON Schemas.' })
  tools!: ToolSpec[];

  @Field(() => Int, { description: 'The number of input tokens.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'The number of output tokens, including reasoning.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'The input tokens that the provider had cached.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'The part of the output tokens that was reasoning, shown or not.' })
  reasoningTokens!: number;

  @Field(() => Boolean, {
    description: 'True: the provider did not count the tokens, so they are estimates.',
  })
  estimated!: boolean;

  @Nullable(() => Float, 'The cost in US dollars. Null if the model has no price.')
  costUsd!: number | null;

  @Field(() => String, {
    description: 'Why the model stopped, such as stop or tool-calls, or an error code.',
  })
  outcome!: string;

  @Field(() => Int, { description: 'From the request to the end of the answer, in milliseconds.' })
  durationMs!: number;

  @Field(() => DateTime, { description: 'When it started.' })
  at!: Date;
}
