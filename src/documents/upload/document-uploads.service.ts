import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import type { Viewer } from '../../auth/viewer.js';
import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { FileName, MediaType } from '../../files/file-input.js';
import { type IssuedUpload, UploadTickets } from '../../files/uploads/upload-tickets.service.js';
import type { DocumentView } from '../document-view.js';
import type { Document } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';

/** What is announced of a file that is going to be sent. */
export type AnnouncedFile = Pick<Document, 'name' | 'mediaType' | 'bytes'>;

export interface DocumentUpload extends IssuedUpload {
  document: DocumentView;
}

/** What browsers make of a file that they know nothing about. */
const UNKNOWN_TYPE = 'application/octet-stream';

const Announced = z.object({
  name: FileName,
  mediaType: z
    .literal('')
    .transform(() => UNKNOWN_TYPE)
    .or(MediaType),
  bytes: z.int32('This is not a size.').min(0, 'A file has no less than 0 bytes.'),
});

/** Gives members the right to send a document. */
@Injectable()
export class DocumentUploads {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly tickets: UploadTickets,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a document that waits for its bytes. Rejects with BAD_USER_INPUT for what cannot be a file, and with
   * PAYLOAD_TOO_LARGE for one of more bytes than the installation takes.
   */
  async create(viewer: Viewer, announced: AnnouncedFile): Promise<DocumentUpload> {
    const { name, mediaType, bytes } = checkInput(Announced, announced);
    this.checkSize(bytes);
    const { companyId, id: memberId } = viewer;
    const about = { companyId, id: newId(), memberId, name, createdAt: this.clock.now(), contentId: null };
    const issued = await this.database.transaction(companyId, async (tx) => {
      await this.documents.insert(tx, { ...about, mediaType, bytes, uploadError: null });
      // An empty file is taken too, so that whoever sends one is told by the document what is the matter with it.
      const ticket = { name, mediaType, maxBytes: Math.max(bytes, 1), subjectId: about.id };
      return this.tickets.issue(tx, viewer, { ...ticket, purpose: 'DOCUMENT' });
    });
    return { ...issued, document: { ...about, ...awaited, mediaType, bytes } };
  }

  private checkSize(bytes: number): void {
    const { maxBytes } = this.config.documents;
    if (bytes <= maxBytes) return;
    const path = ['input', 'bytes'];
    throw new DomainError('PAYLOAD_TOO_LARGE', `A document may have at most ${maxBytes} bytes.`, {
      limit: maxBytes,
      path,
      argument: path.join('.'),
    });
  }
}

/** How a document looks whose bytes have not come. */
const awaited = {
  storageKey: null,
  status: 'PENDING',
  error: null,
  warnings: [] as string[],
  pages: null,
  passages: null,
  language: null,
  progress: 0,
} as const satisfies Partial<DocumentView>;
