import type { Readable } from 'node:stream';

import { Inject, Injectable } from '@nestjs/common';

import { DomainError, notFound } from '../../common/errors/domain-error.js';
import type { JsonObject } from '../../common/json.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../database/database.js';
import type { UploadTicket } from '../../files/uploads/upload-receivers.js';
import { FileStorage, FileTooLarge, type Measured } from '../../storage/file-storage.js';
import type { Document } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';
import { DocumentBytes } from './document-bytes.service.js';
import { type ArrivedFile, ReceivedContents } from './received-contents.service.js';

/** Takes in the bytes of documents as they come. */
@Injectable()
export class DocumentReceiver {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly storage: FileStorage,
    private readonly bytes: DocumentBytes,
    private readonly contents: ReceivedContents,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores what comes, and puts it in line to be read, unless the company has the same already. Rejects with NOT_FOUND
   * when the document was deleted meanwhile, with CONFLICT when its bytes have come before, and with PAYLOAD_TOO_LARGE.
   * What fails leaves nothing.
   */
  async receive(ticket: UploadTicket, content: Readable, signal: AbortSignal): Promise<JsonObject> {
    const document = await this.getAwaited(ticket);
    const storageKey = this.bytes.keyOf(document);
    const measured = await this.store(document, storageKey, content, signal);
    const file: ArrivedFile = { document, storageKey, ...measured };
    try {
      signal.throwIfAborted();
      const status = await this.database.transaction(document.companyId, (tx) =>
        this.contents.keep(tx, file),
      );
      return { documentId: document.id, status };
    } catch (error) {
      if (!(await this.mayBeKept(document))) await this.removeBytes(storageKey);
      throw error;
    }
  }

  private async getAwaited({ companyId, subjectId }: UploadTicket): Promise<Document> {
    const document =
      subjectId === null
        ? null
        : await this.database.read(companyId, (tx) => this.documents.find(tx, subjectId));
    if (!document || document.uploadError !== null) throw notFound('document');
    // After a connection that broke at the end of the first time, when nobody could tell how that went.
    if (document.contentId !== null) throw new DomainError('CONFLICT', 'This document has been uploaded.');
    return document;
  }

  private async store(
    { mediaType, bytes: maxBytes }: Document,
    storageKey: string,
    content: Readable,
    signal: AbortSignal,
  ): Promise<Measured> {
    try {
      return await this.storage.write(storageKey, content, { mediaType, maxBytes, signal });
    } catch (error) {
      if (!(error instanceof FileTooLarge)) throw error;
      const message = `The file may have at most ${maxBytes} bytes.`;
      throw new DomainError('PAYLOAD_TOO_LARGE', message, { limit: maxBytes }, { cause: error });
    }
  }

  /** Whether the document has its content all the same, or nobody can tell: better too many bytes than none. */
  private async mayBeKept({ companyId, id }: Document): Promise<boolean> {
    try {
      const found = await this.database.read(companyId, (tx) => this.documents.find(tx, id));
      return found?.contentId != null;
    } catch {
      return true;
    }
  }

  private async removeBytes(storageKey: string): Promise<void> {
    await this.storage.remove(storageKey).catch((error: unknown) => {
      this.logger.warn({ err: error, storageKey }, 'the bytes of a document could not be removed');
    });
  }
}
