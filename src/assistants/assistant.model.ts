import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

import { Node } from '../common/node.model.js';
import { DateTime } from '../common/scalars.js';
import type { Strategy as StrategyName } from './assistant-definition.js';

export const Strategy = {
  REACTIVE: 'REACTIVE',
  PLANNED: 'PLANNED',
  GROUNDED: 'GROUNDED',
} as const satisfies Record<StrategyName, StrategyName>;

registerEnumType(Strategy, {
  name: 'Strategy',
  description: 'How an assistant comes to its answer.',
  valuesMap: {
    REACTIVE: { description: 'One streaming loop: the model calls skills until it answers.' },
    PLANNED: {
      description:
        'A planner decides each step: call a skill, synthesise the answer, or go on in the background.',
    },
    GROUNDED: { description: 'Retrieves first, then streams an answer with citations.' },
  },
});

@ObjectType({ description: 'What one turn may use up before it is made to answer.' })
export class Budget {
  @Field(() => Int, { description: 'Model calls.' })
  maxSteps!: number;

  @Field(() => Int, { description: 'Seconds from the turn’s start.' })
  maxSeconds!: number;

  @Field(() => Int, { description: 'Tokens of one model call’s answer.' })
  maxOutputTokens!: number;
}

@ObjectType('PromptVersion', { description: 'A base prompt of an assistant.' })
export class PromptVersionModel {
  @Field(() => Int, { description: '1, 2, 3 … in the order of publication; 0 is the one that ships.' })
  version!: number;

  @Field(() => String, { description: 'The text with its variables.' })
  template!: string;

  @Field(() => DateTime, { nullable: true, description: 'Null for the one that ships.' })
  publishedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Who published it; null for the one that ships.' })
  publishedBy!: string | null;

  @Field(() => String, { nullable: true, description: 'What its publisher noted; null when nothing.' })
  note!: string | null;
}

@ObjectType('Assistant', { implements: () => [Node], description: 'A configured persona of the agent.' })
export class AssistantModel extends Node {
  @Field(() => String, { description: 'What startTurn calls it by.' })
  key!: string;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => String, { description: 'The language it answers in, BCP 47.' })
  language!: string;

  @Field(() => Strategy, { description: 'How it comes to its answer.' })
  strategy!: StrategyName;

  @Field(() => String, { nullable: true, description: 'Null: the installation’s default model.' })
  model!: string | null;
}
