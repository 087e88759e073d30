import { Field, Float, Int, ObjectType } from '@nestjs/graphql';

import { turnErrorCodes } from './turn-event.js';

@ObjectType({ description: 'What a turn used up.' })
export class Usage {
  @Field(() => Int, { description: 'Tokens read by the model, over all its calls.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'Tokens written by the model, over all its calls.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'Of the tokens read, those the provider had cached.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'Calls of the model.' })
  modelCalls!: number;

  @Field(() => Int, { description: 'Calls of skills.' })
  skillCalls!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'In US dollars; null while no price is known for the model.',
  })
  costUsd!: number | null;
}

@ObjectType({ description: 'Why a turn failed.' })
export class TurnError {
  @Field(() => String, {
    description: `${turnErrorCodes.join(', ')}; there may be more one day. RATE_LIMITED: what was granted is used up.`,
  })
  code!: string;

  @Field(() => String, { description: 'For people.' })
  message!: string;

  @Field(() => Boolean, { description: 'Whether asking again may help.' })
  retryable!: boolean;
}
