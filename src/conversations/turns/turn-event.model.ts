import { Field, InterfaceType, Int, ObjectType } from '@nestjs/graphql';
import type { JsonObject } from '@palabre/json';

import { Nullable, DateTime, ID, Json } from '../../common/schema/fields.js';
import type { Citation as CitationRow } from '../message.repository.js';
import { ApprovalModel, PendingInputModel } from './inputs/pending-input.model.js';
import {
  FinishReason,
  PendingStatus,
  PlanAction,
  SkillCallStatus,
  TextResetReason,
  TurnStatus,
  TurnError,
  Usage,
} from './turn.model.js';
import {
  MAX_PREVIEW_CHARACTERS,
  type ShownInput,
  type TurnError as TurnErrorRow,
  type TurnEvent as StoredTurnEvent,
  type TurnEventType,
  type Usage as UsageRow,
} from './turn-event.js';
import { Citation } from '../message.model.js';

@InterfaceType('TurnEvent', {
  description:
    'An event of a turn. The sequence runs 1, 2, 3 … without gaps. There is exactly one TurnDone, and it is last. The texts of the TextDelta events after the last TextReset, joined, are the stored answer; those of the ReasoningDelta events after it are its reasoning.',
  resolveType: (event: StoredTurnEvent) => modelOf[event.type].name,
})
export abstract class TurnEvent {
  @Field(() => ID, { description: 'The turn of the event.' })
  turnId!: string;

  @Field(() => Int, { description: '1, 2, 3 … within the turn. Resume with after.' })
  sequence!: number;

  @Field(() => DateTime, { description: 'When it was stored.' })
  at!: Date;
}

const implementing = { implements: () => [TurnEvent] };

@ObjectType({ ...implementing, description: 'The turn’s status or progress changed.' })
export class StatusChanged extends TurnEvent {
  @Field(() => TurnStatus, { description: 'The status of the turn.' })
  status!: TurnStatus;

  @Nullable(
    () => String,
    'More detail: RETRYING, or the progress of a skill in words for people. Null if there is none.',
  )
  detail!: string | null;
}

@ObjectType({ ...implementing, description: 'More text of the answer.' })
export class TextDelta extends TurnEvent {
  @Field(() => String, {
    description:
      'The text to append. Empty if it replaces another kind of event whose retention period has passed.',
  })
  text!: string;
}

@ObjectType({
  ...implementing,
  description: 'More of the model’s reasoning before the answer. Only for assistants with showsReasoning.',
})
export class ReasoningDelta extends TurnEvent {
  @Field(() => String, { description: 'The text to append to the reasoning.' })
  text!: string;
}

@ObjectType({
  ...implementing,
  description: 'The text and the reasoning so far do not belong to the answer. Discard both.',
})
export class TextReset extends TurnEvent {
  @Field(() => TextResetReason, { description: 'Why the text is discarded.' })
  cause!: TextResetReason;
}

@ObjectType({ ...implementing, description: 'The planner has chosen the next step.' })
export class PlanDecided extends TurnEvent {
  @Field(() => PlanAction, { description: 'The next step.' })
  action!: PlanAction;

  @Nullable(() => String, 'The key of the skill to call. Null for other actions.')
  nextSkill!: string | null;

  @Nullable(() => String, 'The planner’s reason. Null if it gave none.')
  reason!: string | null;
}

@ObjectType({ ...implementing, description: 'A skill is running.' })
export class SkillStarted extends TurnEvent {
  @Field(() => ID, { description: 'The id of the skill call.' })
  callId!: string;

  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;

  @Field(() => Json, {
    description: 'The arguments, a JSON object. Empty if the model wrote none.',
  })
  arguments!: JsonObject;
}

@ObjectType({ ...implementing, description: 'A skill has ended.' })
export class SkillFinished extends TurnEvent {
  @Field(() => ID, { description: 'The id of the skill call.' })
  callId!: string;

  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;

  @Field(() => SkillCallStatus, { description: 'The outcome.' })
  callStatus!: SkillCallStatus;

  @Field(() => String, {
    description: `The beginning of the result, for people: at most ${MAX_PREVIEW_CHARACTERS} characters.`,
  })
  resultPreview!: string;

  @Field(() => Int, { description: 'The duration, in milliseconds.' })
  durationMs!: number;
}

@ObjectType({ ...implementing, description: 'A SKILL.md was added to the prompt.' })
export class SkillLoaded extends TurnEvent {
  @Field(() => String, { description: 'The key of the skill.' })
  skill!: string;
}

@ObjectType({ ...implementing, description: 'The sources of the coming answer.' })
export class SourcesFound extends TurnEvent {
  @Field(() => [Citation], { description: 'Ordered by marker.' })
  sources!: CitationRow[];
}

@ObjectType({ ...implementing, description: 'The turn waits for an approval.' })
export class ApprovalRequested extends TurnEvent {
  @Field(() => ApprovalModel, {
    description:
      'The approval as it was when it was requested, also in a replay. Turn.approvals has the current status: a client that caches by id should query it after a replay.',
  })
  approval!: ShownInput;
}

@ObjectType({
  ...implementing,
  description: 'The turn waits for input from its member. For approvals there is ApprovalRequested instead.',
})
export class InputRequested extends TurnEvent {
  @Field(() => PendingInputModel, {
    description:
      'The input as it was when it was requested, also in a replay. Turn.pendingInputs has the current status.',
  })
  input!: ShownInput;
}

@ObjectType({
  ...implementing,
  description:
    'The turn no longer waits for this input. Sent once for each InputRequested and ApprovalRequested, after it. When all are resolved, the turn continues or ends.',
})
export class InputResolved extends TurnEvent {
  @Field(() => ID, { description: 'The id of the input.' })
  inputId!: string;

  @Field(() => PendingStatus, { description: 'The outcome.' })
  inputStatus!: PendingStatus;
}

@ObjectType({ ...implementing, description: 'The turn continues in the background. Nobody has to wait.' })
export class MovedToBackground extends TurnEvent {
  @Nullable(() => String, 'The planner’s reason. Null if the budget was used up.')
  reason!: string | null;

  @Field(() => String, { description: 'For the asker, in the language of the question.' })
  message!: string;
}

@ObjectType({ ...implementing, description: 'The turn has ended. All its data can be queried now.' })
export class TurnDone extends TurnEvent {
  @Field(() => TurnStatus, { description: 'COMPLETED, FAILED or CANCELLED.' })
  status!: TurnStatus;

  @Field(() => FinishReason, { description: 'Why the turn ended.' })
  finishReason!: FinishReason;

  @Nullable(() => ID, 'The answer’s id. Null if there is none, not even a partial one.')
  messageId!: string | null;

  @Field(() => Usage, { description: 'The usage of the turn.' })
  usage!: UsageRow;

  @Nullable(() => TurnError, 'Null unless the turn failed.')
  error!: TurnErrorRow | null;
}

/** The GraphQL type of every event: a missing one does not compile. */
const modelOf = {
  'status-changed': StatusChanged,
  'text-delta': TextDelta,
  'reasoning-delta': ReasoningDelta,
  'text-reset': TextReset,
  'plan-decided': PlanDecided,
  'skill-started': SkillStarted,
  'skill-finished': SkillFinished,
  'skill-loaded': SkillLoaded,
  'sources-found': SourcesFound,
  'approval-requested': ApprovalRequested,
  'input-requested': InputRequested,
  'input-resolved': InputResolved,
  'moved-to-background': MovedToBackground,
  'turn-done': TurnDone,
} as const satisfies Record<TurnEventType, abstract new () => TurnEvent>;

export const turnEventModels = Object.values(modelOf);
