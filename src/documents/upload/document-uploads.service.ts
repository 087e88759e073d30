import { Injectable } from '@nestjs/common';
import { z } from 'zod';

import { checkInput } from '../../common/check-input.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../common/config/config.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import type { Viewer } from '../../companies/auth/viewer.js';
import { FileName, MediaType } from '../../companies/files/file-input.js';
import { type IssuedUpload, UploadTickets } from '../../companies/files/upload-tickets.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { MAX_IMAGE_BYTES } from '../attachments/image.js';
import { DocumentStorage } from '../document-storage.service.js';
import type { Document } from '../document.entity.js';
import type { DocumentView } from '../document-view.js';
import { DocumentRepository } from '../document.repository.js';

/** What a client announces about a file before it sends it. */
type AnnouncedFile = Pick<Document, 'name' | 'mediaType' | 'bytes'>;

export interface DocumentUpload extends IssuedUpload {
  document: DocumentView;
}

/** The media type that browsers give to unknown files. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** The place of a document: the company, or a conversation. */
type Place = Pick<Document, 'attachmentId' | 'kind' | 'scope' | 'conversationId'>;

const ofCompany: Place = { attachmentId: null, kind: 'DOCUMENT', scope: 'COMPANY', conversationId: null };

const Announced = z.object({
  name: FileName,
  mediaType: z
    .literal('')
    .transform(() => UNKNOWN_TYPE)
    .or(MediaType),
  bytes: z.int32('This is not a size.').min(0, 'A file has no less than 0 bytes.'),
});

/** Issues the right to upload a document. */
@Injectable()
export class DocumentUploads {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly storage: DocumentStorage,
    private readonly tickets: UploadTickets,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a document that waits for its bytes and reserves room for them. Rejects with BAD_USER_INPUT, with
   * PAYLOAD_TOO_LARGE when the file exceeds the installation's limit, and with CONFLICT when the member or the company has
   * no room for it.
   */
  create(viewer: Viewer, announced: AnnouncedFile): Promise<DocumentUpload> {
    return this.database.transaction(viewer.companyId, (tx) => this.createIn(tx, viewer, announced));
  }

  /** The same in `tx`, for a document at `place`. */
  async createIn(
    tx: Transaction,
    viewer: Viewer,
    announced: AnnouncedFile,
    place = ofCompany,
  ): Promise<DocumentUpload> {
    const { name, mediaType, bytes } = checkInput(Announced, announced);
    this.checkSize(bytes, place);
    const { companyId, id: memberId } = viewer;
    const id = newId();
    const file = { name, mediaType, bytes, createdAt: this.clock.now(), contentId: null, uploadError: null };
    await this.documents.insert(tx, { ...file, ...place, companyId, id, memberId });
    await this.storage.check(tx, memberId);
    // An empty file is accepted too, so that its document can say what is wrong.
    const ticket = { name, mediaType, maxBytes: Math.max(bytes, 1), subjectId: id };
    const issued = await this.tickets.issue(tx, viewer, { ...ticket, purpose: 'DOCUMENT' });
    const document = await this.documents.findViewFor(tx, memberId, id);
    if (!document) throw new Error('A document that was just stored is gone.');
    return { ...issued, document };
  }

  private checkSize(bytes: number, { kind }: Place): void {
    const maxBytes = kind === 'IMAGE' ? MAX_IMAGE_BYTES : this.config.documents.maxBytes;
    if (bytes <= maxBytes) return;
    const path = ['input', 'bytes'];
    const what = kind === 'IMAGE' ? 'An image' : 'A document';
    throw new DomainError('PAYLOAD_TOO_LARGE', `${what} may have at most ${maxBytes} bytes.`, {
      limit: maxBytes,
      path,
      argument: path.join('.'),
    });
  }
}
