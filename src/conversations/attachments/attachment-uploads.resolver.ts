import { Args, Field, InputType, Int, Mutation, ObjectType, Resolver } from '@nestjs/graphql';

import { MAX_FILE_NAME_CHARACTERS } from '../../companies/files/file-input.js';
import { Nullable, ID } from '../../common/schema/fields.js';
import { CurrentViewer } from '../../companies/auth/viewer-decorators.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { UploadAddress } from '../../companies/files/upload-address.model.js';
import type { Attachment } from '../../documents/attachments/attachments.service.js';
import { AttachmentModel } from '../../documents/attachments/attachment.model.js';
import { MAX_IMAGE_BYTES } from '../../documents/attachments/image.js';
import { type AttachmentUpload, AttachmentUploads } from './attachment-uploads.service.js';

@InputType({ description: 'A file to upload for one conversation.' })
export class CreateAttachmentUploadInput {
  @Field(() => String, {
    description: `The file name, with extension: at most ${MAX_FILE_NAME_CHARACTERS} characters.`,
  })
  name!: string;

  @Field(() => String, {
    description:
      'The media type. image/png, image/jpeg, image/webp and image/gif are shown to the model; all other types are read. Empty if unknown: the name decides.',
  })
  mediaType!: string;

  @Field(() => Int, {
    description: `The size in bytes. The upload cannot exceed it. Images: at most ${MAX_IMAGE_BYTES}.`,
  })
  bytes!: number;

  @Nullable(
    () => ID,
    'One of the viewer’s conversations. Null: the one that startTurn will create, within a day.',
  )
  conversationId?: string | null;
}

@ObjectType('AttachmentUpload', {
  description:
    'Where to upload the bytes of an attachment. Send them once, as the body, with the given method and headers. The response is JSON: `attachmentId` and `status`.',
})
export class AttachmentUploadModel extends UploadAddress {
  @Field(() => AttachmentModel, { description: 'The attachment, which is waiting for its bytes.' })
  attachment!: Attachment;
}

@Resolver()
export class AttachmentUploadsResolver {
  constructor(private readonly uploads: AttachmentUploads) {}

  @Mutation(() => AttachmentUploadModel, {
    description:
      'Announces a file for one conversation and returns the address for its bytes. Then pass the id to startTurn in attachmentIds.',
  })
  createAttachmentUpload(
    @CurrentViewer() viewer: Viewer,
    @Args('input', { description: 'The file to upload.' }) input: CreateAttachmentUploadInput,
  ): Promise<AttachmentUpload> {
    return this.uploads.create(viewer, input);
  }
}
