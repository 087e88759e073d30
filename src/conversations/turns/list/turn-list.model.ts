import { ArgsType, Field, Float, InputType, ObjectType } from '@nestjs/graphql';

import { connectionOf } from '../../../common/schema/connection.js';
import { ForwardPageArguments } from '../../../common/schema/page.js';
import { DateTime, ID } from '../../../common/schema/scalars.js';
import { FinishReason, TurnStatus } from '../turn-enums.js';
import type { FinishReason as FinishReasonName, TurnStatus as TurnStatusName } from '../turn-event.js';
import { ModelCallModel, SkillCallModel, TurnModel } from '../turn.model.js';

@ObjectType({ description: 'A page of turns, newest first.' })
export class TurnConnection extends connectionOf(TurnModel, 'Turn') {}

@InputType({ description: 'Which turns are listed: those that meet all of it.' })
export class TurnFilter {
  @Field(() => String, { nullable: true, description: 'They are this assistant’s.' })
  assistantKey?: string | null;

  @Field(() => ID, { nullable: true, description: 'This member asked.' })
  memberId?: string | null;

  @Field(() => [TurnStatus], { nullable: true, description: 'They stand in one of these ways.' })
  status?: TurnStatusName[] | null;

  @Field(() => [FinishReason], { nullable: true, description: 'They ended for one of these reasons.' })
  finishReason?: FinishReasonName[] | null;

  @Field(() => DateTime, { nullable: true, description: 'They were asked then or later.' })
  from?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'They were asked before.' })
  to?: Date | null;

  @Field(() => Float, { nullable: true, description: 'They cost so much or more, as far as is known.' })
  minCostUsd?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'They have ended, so many seconds or more after they were asked.',
  })
  minSeconds?: number | null;
}

@ArgsType()
export class TurnsArguments extends ForwardPageArguments {
  @Field(() => TurnFilter, { nullable: true, description: 'Which are listed. Null: all.' })
  filter?: TurnFilter | null;
}

@ObjectType({ description: 'A turn with its content, as it was shown to an admin.' })
export class ShownTurn {
  @Field(() => TurnModel, { description: 'The turn, without its content unless it is the viewer’s own.' })
  turn!: unknown;

  @Field(() => String, { description: 'What was asked.' })
  question!: string;

  @Field(() => String, { nullable: true, description: 'What was answered; null: nothing.' })
  answer!: string | null;

  @Field(() => [SkillCallModel], {
    description: 'The skill calls, in the order in which they were asked for.',
  })
  skillCalls!: unknown[];

  @Field(() => [ModelCallModel], {
    description: 'The model calls with the exact prompts; none once they are past the retention of events.',
  })
  modelCalls!: unknown[];
}
