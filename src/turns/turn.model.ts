import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';

import type { JsonObject } from '../common/json.js';
import { Node } from '../common/schema/node.model.js';
import { DateTime, ID, Json } from '../common/schema/scalars.js';
import { FinishReason, SkillCallStatus, TurnStatus, WhenBusy } from './turn-enums.js';
import type {
  FinishReason as FinishReasonName,
  SkillCallStatus as SkillCallStatusName,
  TurnError as TurnErrorRow,
  TurnStatus as TurnStatusName,
} from './turn-event.js';
import { MAX_MESSAGE_CHARACTERS, type WhenBusy as WhenBusyName } from './start/start-turn.js';
import { TurnError } from './usage.model.js';

@ObjectType('SkillCall', { description: 'A skill that the model asked for.' })
export class SkillCallModel {
  @Field(() => ID, { description: 'The callId of the events.' })
  id!: string;

  @Field(() => String, { description: 'The skill’s key.' })
  skill!: string;

  @Field(() => Json, { description: 'What it was called with: a JSON object.' })
  arguments!: JsonObject;

  @Field(() => SkillCallStatus, { description: 'How it stands.' })
  status!: SkillCallStatusName;

  @Field(() => String, {
    nullable: true,
    description: 'The beginning of the result, for people; null while it runs.',
  })
  resultPreview!: string | null;

  @Field(() => DateTime, { description: 'When it was begun.' })
  startedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Null while it runs.' })
  finishedAt!: Date | null;
}

@ObjectType('Turn', {
  implements: () => [Node],
  description: 'A question and all that is done until it is answered.',
})
export class TurnModel extends Node {
  @Field(() => TurnStatus, { description: 'How it stands.' })
  status!: TurnStatusName;

  @Field(() => FinishReason, { nullable: true, description: 'Null until it has ended.' })
  finishReason!: FinishReasonName | null;

  @Field(() => TurnError, { nullable: true, description: 'Null unless it failed.' })
  error!: TurnErrorRow | null;

  @Field(() => Int, { description: 'The sequence of its last event.' })
  lastSequence!: number;

  @Field(() => [ID], {
    description: 'The documents that it is restricted to, also those deleted since; none: it is not.',
  })
  documentIds!: string[];

  @Field(() => DateTime, { description: 'When it was asked.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Null until it is first run.' })
  startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Null until it has ended.' })
  finishedAt!: Date | null;
}

@InputType({ description: 'A question.' })
export class StartTurnInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'Null: a new conversation, with assistantKey. NOT_FOUND for any other that is not the viewer’s.',
  })
  conversationId?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Who is to answer; needed for a new conversation only.',
  })
  assistantKey?: string | null;

  @Field(() => String, {
    description: `1 to ${MAX_MESSAGE_CHARACTERS} characters, of which people see some.`,
  })
  message!: string;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Restricts the turn to these documents, at most 100; others are not read in it. One that is still being read does not hold it up: the answer says so.',
  })
  documentIds?: string[] | null;

  @Field(() => WhenBusy, {
    nullable: true,
    defaultValue: WhenBusy.ENQUEUE,
    description: 'What to do when the conversation is busy, which a turn in the background does not make it.',
  })
  whenBusy?: WhenBusyName | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Same key and same payload: the same turn; another payload: IdempotencyConflict. 1 to 200 characters.',
  })
  idempotencyKey?: string | null;
}
