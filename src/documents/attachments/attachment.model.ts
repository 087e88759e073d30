import { Field, Int, ObjectType } from '@nestjs/graphql';

import { enumType, Node, DateTime } from '../../common/schema/fields.js';
import { DocumentStatus } from '../document.model.js';
import type { DocumentStatus as StatusName } from '../document-content.repository.js';
import type { AttachmentKind as KindName } from '../document.entity.js';

export const AttachmentKind = enumType<KindName>('AttachmentKind', 'How the model receives an attachment.', {
  IMAGE: 'The model sees it as an image.',
  DOCUMENT: 'It is read: given to the model whole if it is short, else searched.',
});

@ObjectType('Attachment', {
  implements: () => [Node],
  description:
    'A file of one conversation. Only its member sees it, unless it is shared with the company. If not shared, it is deleted with its conversation, or after a day if it has none.',
})
export class AttachmentModel extends Node {
  @Field(() => AttachmentKind, { description: 'Whether it is shown or read.' })
  kind!: KindName;

  @Field(() => String, { description: 'The member’s file name, with extension.' })
  name!: string;

  @Field(() => String, {
    description:
      'The media type: as announced, then as detected after the upload. Images are re-encoded as PNG or JPEG.',
  })
  mediaType!: string;

  @Field(() => Int, { description: 'The size in bytes: as announced, then as stored after the upload.' })
  bytes!: number;

  @Field(() => DocumentStatus, {
    description: 'The status. An image is COMPLETED or FAILED as soon as it is uploaded.',
  })
  status!: StatusName;

  @Field(() => DateTime, { description: 'When the upload was requested.' })
  createdAt!: Date;
}
