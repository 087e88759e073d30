import { registerEnumType } from '@nestjs/graphql';

import { enumType } from '../../common/schema/enum-type.js';
import { whenBusyChoices } from './start/start-turn.js';
import {
  finishReasons,
  type PendingInputKind as PendingInputKindName,
  type PendingStatus as PendingStatusName,
  planActions,
  skillCallStatuses,
  textResetReasons,
  turnStatuses,
} from './turn-event.js';

function namesOf<Name extends string>(names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, name])) as { [Each in Name]: Each };
}

export const TurnStatus = namesOf(turnStatuses);
registerEnumType(TurnStatus, {
  name: 'TurnStatus',
  description: 'How a turn stands.',
  valuesMap: {
    QUEUED: { description: 'It waits to be run.' },
    RUNNING: { description: 'It is being answered.' },
    WAITING_FOR_APPROVAL: { description: 'It waits for people to allow skills, and for nothing else.' },
    WAITING_FOR_INPUT: {
      description: 'It waits for its member to give something, and maybe for approvals: see pendingInputs.',
    },
    IN_BACKGROUND: { description: 'It goes on without anybody having to wait for it.' },
    COMPLETED: { description: 'It was answered.' },
    FAILED: { description: 'It could not be answered: see error.' },
    CANCELLED: { description: 'It was ended early; what there was of the answer is kept.' },
  },
});

export const FinishReason = namesOf(finishReasons);
registerEnumType(FinishReason, {
  name: 'FinishReason',
  description: 'Why a turn ended.',
  valuesMap: {
    ANSWERED: { description: 'The model had answered.' },
    MAX_STEPS: { description: 'Its budget of model calls was spent; it answered with what it had.' },
    MAX_SECONDS: { description: 'Its budget of time was spent; it answered with what it had.' },
    MAX_TOKENS: { description: 'The answer was cut at the limit of tokens.' },
    CANCELLED: { description: 'Somebody cancelled it.' },
    SUPERSEDED: { description: 'A later question of the conversation interrupted it.' },
    ERROR: { description: 'It failed.' },
  },
});

export const SkillCallStatus = namesOf(skillCallStatuses);
registerEnumType(SkillCallStatus, {
  name: 'SkillCallStatus',
  description: 'How a skill call stands.',
  valuesMap: {
    RUNNING: { description: 'It is being carried out.' },
    SUCCEEDED: { description: 'It gave a result.' },
    FAILED: { description: 'It gave an error, which the model was told.' },
    DENIED: { description: 'A person did not allow it.' },
    UNKNOWN: { description: 'It was broken off: nobody knows what it did.' },
  },
});

export const TextResetReason = namesOf(textResetReasons);
registerEnumType(TextResetReason, {
  name: 'TextResetReason',
  description: 'Why text is withdrawn.',
  valuesMap: {
    RETRIED: { description: 'The step is being run again, or the text was thoughts of the model.' },
    PREAMBLE: { description: 'The text led up to a skill call and is not the answer.' },
  },
});

export const PlanAction = namesOf(planActions);
registerEnumType(PlanAction, {
  name: 'PlanAction',
  description: 'What a planner chose.',
  valuesMap: {
    CALL_SKILL: { description: 'To find out more by a skill.' },
    SYNTHESIZE: { description: 'To write the answer.' },
    CONTINUE_IN_BACKGROUND: { description: 'To go on without the asker having to wait.' },
  },
});

export const PendingStatus = enumType<PendingStatusName>(
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

export const PendingInputKind = enumType<PendingInputKindName>(
  'PendingInputKind',
  'What a turn waits for somebody to give.',
  {
    APPROVAL: 'Leave to carry out a skill.',
    QUESTION: 'An answer to a question of the model.',
    CLIENT_SKILL: 'What came of a skill that the front end carries out.',
    MCP_INPUT: 'What an MCP server wants to know of the member.',
  },
);

export const WhenBusy = namesOf(whenBusyChoices);
registerEnumType(WhenBusy, {
  name: 'WhenBusy',
  description:
    'What to do when the conversation is busy: when it has a turn under way, waiting for people, or in line. One that was moved to the background does not keep it busy.',
  valuesMap: {
    REJECT: { description: 'Answer TurnInProgress and store nothing.' },
    ENQUEUE: { description: 'Wait in line, in the order of asking.' },
    INTERRUPT: {
      description:
        'End the turns that keep it busy as SUPERSEDED, and go first. One in the background goes on; cancelTurn ends it.',
    },
  },
});
