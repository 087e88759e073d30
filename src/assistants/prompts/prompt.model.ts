import { ArgsType, Field, Int, ObjectType } from '@nestjs/graphql';

import { DateTime } from '../../common/schema/scalars.js';
import { maxTemplateLength, templateVariables } from './prompt-template.js';

/** It is pages long. */
const TEMPLATE_COST = 20;

@ObjectType('PromptVersion', { description: 'A base prompt of an assistant.' })
export class PromptVersionModel {
  @Field(() => Int, { description: '1, 2, 3 … in the order of publication; 0 is the one that ships.' })
  version!: number;

  @Field(() => String, { complexity: TEMPLATE_COST, description: 'The text with its variables.' })
  template!: string;

  @Field(() => DateTime, { nullable: true, description: 'Null for the one that ships.' })
  publishedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Who published it; null for the one that ships.' })
  publishedBy!: string | null;

  @Field(() => String, { nullable: true, description: 'What its publisher noted; null when nothing.' })
  note!: string | null;
}

const variables = templateVariables.map((name) => `{${name}}`).join(' ');

@ArgsType()
export class PublishPromptArguments {
  @Field(() => String, { description: 'Such as mefali.' })
  assistantKey!: string;

  @Field(() => String, {
    description: `At most ${maxTemplateLength} characters, with each of the variables ${variables} at least once and no other.`,
  })
  template!: string;

  @Field(() => String, { nullable: true, description: 'What changed and why: at most 500 characters.' })
  note?: string | null;
}
