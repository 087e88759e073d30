import { createUnionType, Field, ObjectType } from '@nestjs/graphql';

import type { JsonValue } from '../common/json.js';
import { Json } from '../common/schema/scalars.js';
import type { MessagePart as Part } from './message-part.js';

@ObjectType({ description: 'What was said, as it was said.' })
export class TextPart {
  @Field(() => String, { description: 'The text; that of a structured answer is JSON.' })
  text!: string;
}

@ObjectType({
  description:
    'What the model thought before it answered, as far as its provider shows it. Only of assistants with showsReasoning.',
})
export class ReasoningPart {
  @Field(() => String, { description: 'The thoughts, or a summary of them, as the provider chose.' })
  text!: string;
}

@ObjectType({ description: 'A structured answer.' })
export class DataPart {
  @Field(() => Json, { description: 'The value, as the turn’s answerSchema wants it.' })
  value!: JsonValue;
}

/** The GraphQL type of every part: a missing one does not compile. */
const modelOf = {
  text: TextPart,
  reasoning: ReasoningPart,
  data: DataPart,
} as const satisfies Record<Part['type'], abstract new () => object>;

export const MessagePart = createUnionType({
  name: 'MessagePart',
  description: 'What a message consists of.',
  types: () => Object.values(modelOf),
  resolveType: ({ type }: Part) => modelOf[type],
});
