import { createUnionType, Field, ObjectType } from '@nestjs/graphql';
import type { JsonValue } from '@palabre/json';

import { Json } from '../common/schema/fields.js';
import type { Attachment } from '../documents/attachments/attachments.service.js';
import { AttachmentModel } from '../documents/attachments/attachment.model.js';
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

@ObjectType({ description: 'An image that a question was asked with.' })
export class ImagePart {
  @Field(() => AttachmentModel, { description: 'The image.' })
  attachment!: Attachment;
}

@ObjectType({ description: 'A document that a question was asked with.' })
export class FilePart {
  @Field(() => AttachmentModel, { description: 'The document.' })
  attachment!: Attachment;
}

/** The GraphQL type of every part: a missing one does not compile. */
const modelOf = {
  text: TextPart,
  reasoning: ReasoningPart,
  image: ImagePart,
  file: FilePart,
  data: DataPart,
} as const satisfies Record<Part['type'], abstract new () => object>;

export const MessagePart = createUnionType({
  name: 'MessagePart',
  description: 'What a message consists of.',
  types: () => Object.values(modelOf),
  resolveType: ({ type }: Part) => modelOf[type],
});
