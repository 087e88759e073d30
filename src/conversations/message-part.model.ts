import { createUnionType, Field, ObjectType } from '@nestjs/graphql';
import type { JsonValue } from '@palabre/json';

import { Json } from '../common/schema/fields.js';
import type { Attachment } from '../documents/attachments/attachments.service.js';
import { AttachmentModel } from '../documents/attachments/attachment.model.js';
import type { MessagePart as Part } from './message-part.js';

@ObjectType({ description: 'Plain text of a message.' })
export class TextPart {
  @Field(() => String, { description: 'The text. For a structured answer, the JSON.' })
  text!: string;
}

@ObjectType({
  description:
    'The model’s reasoning before the answer, as far as the provider reveals it. Only for assistants with showsReasoning.',
})
export class ReasoningPart {
  @Field(() => String, { description: 'The reasoning, or a summary of it, as the provider chose.' })
  text!: string;
}

@ObjectType({ description: 'A structured answer.' })
export class DataPart {
  @Field(() => Json, { description: 'The value, which fits the turn’s answerSchema.' })
  value!: JsonValue;
}

@ObjectType({ description: 'An image attached to a question.' })
export class ImagePart {
  @Field(() => AttachmentModel, { description: 'The image.' })
  attachment!: Attachment;
}

@ObjectType({ description: 'A document attached to a question.' })
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
  description: 'A part of a message.',
  types: () => Object.values(modelOf),
  resolveType: ({ type }: Part) => modelOf[type],
});
