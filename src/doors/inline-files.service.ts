import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import type { Viewer } from '../companies/auth/viewer.js';
import { UploadTickets } from '../companies/files/upload-tickets.service.js';
import { UploadReceivers } from '../companies/files/uploads.service.js';
import { AttachmentUploads } from '../conversations/attachments/attachment-uploads.service.js';

export interface InlineFile {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Stores files of a request, like createAttachmentUpload and its PUT. */
@Injectable()
export class InlineFiles {
  constructor(
    private readonly uploads: AttachmentUploads,
    private readonly tickets: UploadTickets,
    private readonly receivers: UploadReceivers,
  ) {}

  /**
   * The attachment id for startTurn. `conversationId` null: a new conversation. Rejects with BAD_USER_INPUT for an
   * invalid image, with PAYLOAD_TOO_LARGE, and like createAttachmentUpload.
   */
  async attach(
    viewer: Viewer,
    { name, mediaType, bytes }: InlineFile,
    conversationId: string | null,
    signal: AbortSignal,
  ): Promise<string> {
    const announced = { name, mediaType, bytes: bytes.byteLength, conversationId };
    const { attachment, url } = await this.uploads.create(viewer, announced);
    const ticket = await this.tickets.use(url.slice(url.lastIndexOf('/') + 1));
    await this.receivers.get(ticket.purpose)(ticket, Readable.from([Buffer.from(bytes)]), signal);
    return attachment.id;
  }
}
