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
import type {
  ShownInput,
  TurnError as TurnErrorRow,
  TurnEvent as StoredTurnEvent,
  TurnEventType,
  Usage as UsageRow,
} from './turn-event.js';
import { Citation } from '../message.model.js';

@InterfaceType('TurnEvent', {
  description:
    'What happens in a turn. The sequence runs 1, 2, 3 … without a gap; exactly one TurnDone, always last. The texts of the TextDelta events after the last TextReset, joined, are the stored answer; those of the ReasoningDelta events after it are its reasoning.',
  resolveType: (event: StoredTurnEvent) => modelOf[event.type].name,
})
export abstract class TurnEvent {
  @Field(() => ID, { description: 'The turn it belongs to.' })
  turnId!: string;

  @Field(() => Int, { description: '1, 2, 3 … within the turn: resume with after.' })
  sequence!: number;

  @Field(() => DateTime, { description: 'When it was stored.' })
  at!: Date;
}

const implementing = { implements: () => [TurnEvent] };

@ObjectType({ ...implementing, description: 'The turn has got on.' })
export class StatusChanged extends TurnEvent {
  @Field(() => TurnStatus, { description: 'How the turn stands.' })
  status!: TurnStatus;

  @Nullable(
    () => String,
    'More about it: RETRYING, or how far a skill is, in words for people; null when there is no more.',
  )
  detail!: string | null;
}

@ObjectType({ ...implementing, description: 'More of the answer.' })
export class TextDelta extends TurnEvent {
  @Field(() => String, {
    description:
      'To be put after the text so far. Empty: in the place of an event that is past its retention and was not text.',
  })
  text!: string;
}

@ObjectType({
  ...implementing,
  description: 'More of what the model thinks before it answers. Only of assistants with showsReasoning.',
})
export class ReasoningDelta extends TurnEvent {
  @Field(() => String, { description: 'To be put after the reasoning so far.' })
  text!: string;
}

@ObjectType({
  ...implementing,
  description:
    'The text so far is not the answer, and the reasoning so far did not lead to it: begin again with empty ones.',
})
export class TextReset extends TurnEvent {
  @Field(() => TextResetReason, { description: 'Why it is withdrawn.' })
  cause!: TextResetReason;
}

@ObjectType({ ...implementing, description: 'The planner has chosen the next step.' })
export class PlanDecided extends TurnEvent {
  @Field(() => PlanAction, { description: 'What comes next.' })
  action!: PlanAction;

  @Nullable(() => String, 'The key of the skill to be called; null for other actions.')
  nextSkill!: string | null;

  @Nullable(() => String, 'The planner’s reason; null when it gave none.')
  reason!: string | null;
}

@ObjectType({ ...implementing, description: 'A skill is being carried out.' })
export class SkillStarted extends TurnEvent {
  @Field(() => ID, { description: 'The id of the skill call.' })
  callId!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, {
    description: 'What it was called with: a JSON object, empty when the model wrote none.',
  })
  arguments!: JsonObject;
}

@ObjectType({ ...implementing, description: 'A skill has ended.' })
export class SkillFinished extends TurnEvent {
  @Field(() => ID, { description: 'The id of the skill call.' })
  callId!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => SkillCallStatus, { description: 'How it ended.' })
  callStatus!: SkillCallStatus;

  @Field(() => String, { description: 'The beginning of the result, for people: at most 300 characters.' })
  resultPreview!: string;

  @Field(() => Int, { description: 'How long it took, in milliseconds.' })
  durationMs!: number;
}

@ObjectType({ ...implementing, description: 'A SKILL.md was put into the prompt.' })
export class SkillLoaded extends TurnEvent {
  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;
}

@ObjectType({ ...implementing, description: 'What the answer will be based on.' })
export class SourcesFound extends TurnEvent {
  @Field(() => [Citation], { description: 'By marker.' })
  sources!: CitationRow[];
}

@ObjectType({ ...implementing, description: 'The turn waits for a person.' })
export class ApprovalRequested extends TurnEvent {
  @Field(() => ApprovalModel, {
    description:
      'What is asked, as it stood when it was asked, also in a replay. How it stands now is in Turn.approvals: a client whose cache goes by ids asks for that after a replay.',
  })
  approval!: ShownInput;
}

@ObjectType({
  ...implementing,
  description:
    'The turn waits for its member to give something. Of an approval there is ApprovalRequested instead.',
})
export class InputRequested extends TurnEvent {
  @Field(() => PendingInputModel, {
    description:
      'What is asked for, as it stood when it was asked, also in a replay. How it stands now is in Turn.pendingInputs.',
  })
  input!: ShownInput;
}

@ObjectType({
  ...implementing,
  description:
    'The turn does not wait for this any more. It comes once of each InputRequested and ApprovalRequested, after it; when all have come, the turn goes on or ends.',
})
export class InputResolved extends TurnEvent {
  @Field(() => ID, { description: 'The id of what was asked for.' })
  inputId!: string;

  @Field(() => PendingStatus, { description: 'What became of it.' })
  inputStatus!: PendingStatus;
}

@ObjectType({ ...implementing, description: 'The turn goes on without anybody having to wait for it.' })
export class MovedToBackground extends TurnEvent {
  @Nullable(() => String, 'The planner’s reason; null when the budget was spent.')
  reason!: string | null;

  @Field(() => String, { description: 'For the asker, in the language of the question.' })
  message!: string;
}

@ObjectType({ ...implementing, description: 'The end of the turn: what it tells can be queried now.' })
export class TurnDone extends TurnEvent {
  @Field(() => TurnStatus, { description: 'COMPLETED, FAILED or CANCELLED.' })
  status!: TurnStatus;

  @Field(() => FinishReason, { description: 'Why it ended.' })
  finishReason!: FinishReason;

  @Nullable(() => ID, 'The answer’s id; null when there is none, not even in part.')
  messageId!: string | null;

  @Field(() => Usage, { description: 'What the turn used up.' })
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
