import { Field, Float, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

import type { ChatMessage, ToolSpec } from '../../llm/chat-model.js';
import { DateTime, ID, Json } from '../../common/schema/scalars.js';
import type { ModelCallPurpose as ModelCallPurposeName } from '../turn-event.js';

export const ModelCallPurpose = {
  ANSWER: 'ANSWER',
  PLAN: 'PLAN',
  SYNTHESIS: 'SYNTHESIS',
  SUMMARY: 'SUMMARY',
  TITLE: 'TITLE',
  MEMORY: 'MEMORY',
  ANALYSIS: 'ANALYSIS',
} as const satisfies Record<ModelCallPurposeName, ModelCallPurposeName>;

registerEnumType(ModelCallPurpose, {
  name: 'ModelCallPurpose',
  description: 'What a model was called for.',
  valuesMap: {
    ANSWER: { description: 'To answer, or to ask for skills on the way.' },
    PLAN: { description: 'To decide the next step.' },
    SYNTHESIS: { description: 'To answer from all that the steps have found.' },
    SUMMARY: { description: 'To sum up what left the window of recent messages.' },
    TITLE: { description: 'To name the conversation.' },
    MEMORY: { description: 'To note what the member said that is worth knowing later.' },
    ANALYSIS: { description: 'To analyse a document that the member asked about.' },
  },
});

@ObjectType('ModelCall', {
  description:
    'One call of a model in a turn: exactly what it was sent, and what it used up. Kept as long as events.',
})
export class ModelCallModel {
  @Field(() => ID, { description: 'Later calls have larger ids.' })
  id!: string;

  @Field(() => ModelCallPurpose, { description: 'What it was for.' })
  purpose!: ModelCallPurposeName;

  @Field(() => String, { description: 'The model that was called.' })
  model!: string;

  @Field(() => Json, { description: 'The prompt: messages with role and content, as they were sent.' })
  messages!: ChatMessage[];

  @Field(() => Json, { description: 'The skills that the model was offered, with their JSON Schemas.' })
  tools!: ToolSpec[];

  @Field(() => Int, { description: 'Tokens that were sent.' })
  inputTokens!: number;

  @Field(() => Int, { description: 'Tokens that were answered, reasoning included.' })
  outputTokens!: number;

  @Field(() => Int, { description: 'Of those sent, the ones that the provider had kept from before.' })
  cachedInputTokens!: number;

  @Field(() => Int, { description: 'Of those answered, the ones that were reasoning and are not shown.' })
  reasoningTokens!: number;

  @Field(() => Boolean, { description: 'True: the provider did not count, and the tokens are estimated.' })
  estimated!: boolean;

  @Field(() => Float, { nullable: true, description: 'In US dollars; null when the model has no price.' })
  costUsd!: number | null;

  @Field(() => String, {
    description: 'Why the model stopped, such as stop or tool-calls, or the code of what went wrong.',
  })
  outcome!: string;

  @Field(() => Int, { description: 'From the request to the end of the answer, in milliseconds.' })
  durationMs!: number;

  @Field(() => DateTime, { description: 'When it was begun.' })
  at!: Date;
}
