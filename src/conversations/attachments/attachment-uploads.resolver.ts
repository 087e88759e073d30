import { Args, Field, InputType, Int, Mutation, ObjectType, Resolver } from '@nestjs/graphql';

import { Nullable, ID } from '../../common/schema/fields.js';
import { CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { UploadAddress } from '../../companies/files/upload-address.model.js';
import type { Attachment } from '../../documents/attachments/attachments.service.js';
import { AttachmentModel } from '../../documents/attachments/attachment.model.js';
import { MAX_IMAGE_BYTES } from '../../documents/attachments/image.js';
import { type AttachmentUpload, AttachmentUploads } from './attachment-uploads.service.js';

@InputType({ description: 'A file that is going to be sent for one conversation.' })
export class CreateAttachmentUploadInput {
  @Field(() => String, { description: 'Its file name, with its extension: at most 200 characters.' })
  name!: string;

  @Field(() => String, {
    description:
      'Its media type: image/png, image/jpeg, image/webp and image/gif are shown to the model, all else is read. Empty: not known, so that the name decides.',
  })
  mediaType!: string;

  @Field(() => Int, {
    description: `Its size. No more than this is taken; of an image at most ${MAX_IMAGE_BYTES}.`,
  })
  bytes!: number;

  @Nullable(
    () => ID,
    'A conversation of the viewer’s. Null: for the one that startTurn will make, within a day.',
  )
  conversationId?: string | null;
}

@ObjectType('AttachmentUpload', {
  description:
    'Where to send the bytes of an attachment: once, by the method and with the headers given, as the body. The answer is JSON: `attachmentId` and `status`.',
})
export class AttachmentUploadModel extends UploadAddress {
  @Field(() => AttachmentModel, { description: 'The attachment, which waits for its bytes.' })
  attachment!: Attachment;
}

@Resolver()
export class AttachmentUploadsResolver {
  constructor(private readonly uploads: AttachmentUploads) {}

  @Mutation(() => AttachmentUploadModel, {
    description:
      'Announces a file for one conversation, and says where its bytes are to be sent. Then ask with it: attachmentIds of startTurn.',
  })
  createAttachmentUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'What is going to be sent.' }) input: CreateAttachmentUploadInput,
  ): Promise<AttachmentUpload> {
    return this.uploads.create(viewer, input);
  }
}
