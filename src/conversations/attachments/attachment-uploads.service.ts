import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { newId } from '../../common/ids.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import type { IssuedUpload } from '../../companies/files/upload-tickets.service.js';
import { type Attachment, attachmentOf } from '../../documents/attachments/attachments.service.js';
import type { AttachmentKind } from '../../documents/document.entity.js';
import { DocumentUploads } from '../../documents/upload/document-uploads.service.js';
import { Database } from '../../platform/database/database.js';
import { ConversationsService } from '../conversations.service.js';

const IMAGE_NAME = /\.(png|jpe?g|webp|gif)$/iu;
/** `image/jpg` is not registered, but it is sent. */
const READ_IMAGE = /^image\/(png|jpe?g|webp|gif) *(;|$)/iu;

/** The kind of an attachment, if its name or type shows it. */
function kindOf({ name, mediaType }: { name: string; mediaType: string }): AttachmentKind {
  const isUntold = mediaType === '' || mediaType === 'application/octet-stream';
  if (isUntold) return IMAGE_NAME.test(name) ? 'IMAGE' : 'DOCUMENT';
  return isImage(mediaType) ? 'IMAGE' : 'DOCUMENT';
}

function isImage(mediaType: string): boolean {
  return mediaType.toLowerCase().startsWith('image/');
}

const Announced = z.object({
  name: z.string(),
  mediaType: z
    .string()
    .refine((type) => !isImage(type) || READ_IMAGE.test(type), 'Images are sent as PNG, JPEG, WebP or GIF.'),
  bytes: z.number(),
  conversationId: z
    .string()
    .nullish()
    .transform((id) => id ?? null),
});

export interface AttachmentUpload extends IssuedUpload {
  attachment: Attachment;
}

@Injectable()
export class AttachmentUploads {
  constructor(
    private readonly database: Database,
    private readonly conversations: ConversationsService,
    private readonly uploads: DocumentUploads,
  ) {}

  /** Rejects with BAD_USER_INPUT or NOT_FOUND, and as the upload of a document does. */
  create(viewer: Viewer, input: unknown): Promise<AttachmentUpload> {
    const { conversationId, ...announced } = checkInput(Announced, input);
    return this.database.transaction(viewer.companyId, async (tx) => {
      if (conversationId !== null)
        await this.conversations.getLocked(tx, viewer, conversationId, ['input', 'conversationId']);
      const { document, ...issued } = await this.uploads.createIn(tx, viewer, announced, {
        attachmentId: newId(),
        kind: kindOf(announced),
        scope: 'CONVERSATION',
        conversationId,
      });
      return { ...issued, attachment: attachmentOf(document) };
    });
  }
}
