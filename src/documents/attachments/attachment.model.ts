import { Field, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Node, DateTime } from '../../common/schema/fields.js';
import { DocumentStatus } from '../document.model.js';
import type { DocumentStatus as StatusName } from '../document-content.repository.js';
import type { AttachmentKind as KindName } from '../document.entity.js';

export const AttachmentKind = enumType<KindName>('AttachmentKind', 'What a model is given of it.', {
  IMAGE: 'It is shown to the model.',
  DOCUMENT: 'It is read: told whole when it is short, else searched.',
});

@ObjectType('Attachment', {
  implements: () => [Node],
  description:
    'A file that belongs to one conversation: its member alone sees it, and it goes with the conversation. Without a question that it was asked with, it goes after a day.',
})
export class AttachmentModel extends Node {
  @Field(() => AttachmentKind, { description: 'Whether it is shown or read.' })
  kind!: KindName;

  @Field(() => String, { description: 'As the member called it, with its extension.' })
  name!: string;

  @Field(() => String, {
    description:
      'Its media type: as announced, and once it has come what it is. An image is stored anew as PNG or JPEG.',
  })
  mediaType!: string;

  @Field(() => Int, { description: 'Its size: as announced, and once it has come as it is stored.' })
  bytes!: number;

  @Field(() => DocumentStatus, {
    description: 'How far it is. An image is COMPLETED or FAILED as soon as it has come.',
  })
  status!: StatusName;

  @Field(() => DateTime, { description: 'When its upload was asked for.' })
  createdAt!: Date;
}
