import { enumType } from '../../common/schema/fields.js';
import type * as events from './turn-event.js';

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
