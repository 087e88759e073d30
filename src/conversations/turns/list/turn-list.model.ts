import { ArgsType, Field, Float, InputType, ObjectType } from '@nestjs/graphql';

import { connectionOf, ForwardPageArguments } from '../../../common/schema/page.js';
import { Nullable, DateTime, ID } from '../../../common/schema/fields.js';
import { FinishReason, TurnStatus, ModelCallModel, SkillCallModel, TurnModel } from '../turn.model.js';

@ObjectType({ description: 'A page of turns, newest first.' })
export class TurnConnection extends connectionOf(TurnModel, 'Turn') {}

@InputType({ description: 'Selects turns. All given conditions must hold.' })
export class TurnFilter {
  @Nullable(() => String, 'The assistant of the turn.')
  assistantKey?: string | null;

  @Nullable(() => ID, 'The member who asked.')
  memberId?: string | null;

  @Nullable(() => [TurnStatus], 'The status is one of these.')
  status?: TurnStatus[] | null;

  @Nullable(() => [FinishReason], 'The finish reason is one of these.')
  finishReason?: FinishReason[] | null;

  @Nullable(() => DateTime, 'Asked at this time or later.')
  from?: Date | null;

  @Nullable(() => DateTime, 'Asked before this time.')
  to?: Date | null;

  @Nullable(() => Float, 'The minimum cost, as far as costs are known.')
  minCostUsd?: number | null;

  @Nullable(() => Float, 'The turn ended this many seconds or more after the question.')
  minSeconds?: number | null;
}

@ArgsType()
export class TurnsArguments extends ForwardPageArguments {
  @Nullable(() => TurnFilter, 'Selects the items. Null: all.')
  filter?: TurnFilter | null;
}

@ObjectType({ description: 'A turn with its content, as shown to an admin.' })
export class ShownTurn {
  @Field(() => TurnModel, { description: 'The turn. Its content is hidden unless it is the viewer’s own.' })
  turn!: unknown;

  @Field(() => String, { description: 'The question.' })
  question!: string;

  @Nullable(() => String, 'The answer. Null if there is none.')
  answer!: string | null;

  @Field(() => [SkillCallModel], {
    description: 'The skill calls, in the order of the model’s requests.',
  })
  skillCalls!: unknown[];

  @Field(() => [ModelCallModel], {
    description: 'The model calls with the exact prompts. Empty after the retention period of events.',
  })
  modelCalls!: unknown[];
}
