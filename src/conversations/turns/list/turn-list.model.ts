import { ArgsType, Field, Float, InputType, ObjectType } from '@nestjs/graphql';

import { connectionOf, ForwardPageArguments } from '../../../common/schema/page.js';
import { Nullable, DateTime, ID } from '../../../common/schema/fields.js';
import { FinishReason, TurnStatus, ModelCallModel, SkillCallModel, TurnModel } from '../turn.model.js';

@ObjectType({ description: 'A page of turns, newest first.' })
export class TurnConnection extends connectionOf(TurnModel, 'Turn') {}

@InputType({ description: 'Which turns are listed: those that meet all of it.' })
export class TurnFilter {
  @Nullable(() => String, 'They are this assistant’s.')
  assistantKey?: string | null;

  @Nullable(() => ID, 'This member asked.')
  memberId?: string | null;

  @Nullable(() => [TurnStatus], 'They stand in one of these ways.')
  status?: TurnStatus[] | null;

  @Nullable(() => [FinishReason], 'They ended for one of these reasons.')
  finishReason?: FinishReason[] | null;

  @Nullable(() => DateTime, 'They were asked then or later.')
  from?: Date | null;

  @Nullable(() => DateTime, 'They were asked before.')
  to?: Date | null;

  @Nullable(() => Float, 'They cost so much or more, as far as is known.')
  minCostUsd?: number | null;

  @Nullable(() => Float, 'They have ended, so many seconds or more after they were asked.')
  minSeconds?: number | null;
}

@ArgsType()
export class TurnsArguments extends ForwardPageArguments {
  @Nullable(() => TurnFilter, 'Which are listed. Null: all.')
  filter?: TurnFilter | null;
}

@ObjectType({ description: 'A turn with its content, as it was shown to an admin.' })
export class ShownTurn {
  @Field(() => TurnModel, { description: 'The turn, without its content unless it is the viewer’s own.' })
  turn!: unknown;

  @Field(() => String, { description: 'What was asked.' })
  question!: string;

  @Nullable(() => String, 'What was answered; null: nothing.')
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
