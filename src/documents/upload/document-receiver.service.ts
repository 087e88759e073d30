import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';

import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import type { JsonObject } from '../../common/json.js';
import type { UploadTicket } from '../../companies/files/upload-tickets.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { FileStorage, FileTooLarge, type Measured } from '../../platform/storage/file-storage.js';
import type { DocumentContent, DocumentStatus } from '../document-content.entity.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import { DocumentHints } from '../document-hints.service.js';
import { DocumentStorage } from '../document-storage.service.js';
import type { Document } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';
import { processDocument } from '../processing/process-document.job.js';
import { DocumentBytes } from './document-bytes.service.js';

/** Stored bytes that were uploaded for a document. */
interface ArrivedFile extends Measured {
  document: Pick<Document, 'companyId' | 'id' | 'name'>;
  storageKey: string;
}

/** Receives the bytes of documents. A company stores the same bytes once. */
@Injectable()
export class DocumentReceiver {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly room: DocumentStorage,
    private readonly storage: FileStorage,
    private readonly bytes: DocumentBytes,
    private readonly contents: DocumentContentRepository,
    private readonly jobs: JobQueue,
    private readonly hints: DocumentHints,
  ) {}

  /**
   * Stores the bytes and enqueues their processing, unless the company has the same bytes already. Rejects with NOT_FOUND
   * when the document was deleted meanwhile, with CONFLICT when it was uploaded before or there is no room left, and with
   * PAYLOAD_TOO_LARGE. A failed upload leaves nothing behind.
   */
  async receive(ticket: UploadTicket, content: Readable, signal: AbortSignal): Promise<JsonObject> {
    const document = await this.getAwaited(ticket);
    const storageKey = this.bytes.keyOf(document);
    const measured = await this.store(document, storageKey, content, signal);
    const file: ArrivedFile = { document, storageKey, ...measured };
    try {
      signal.throwIfAborted();
      const status = await this.database.transaction(document.companyId, (tx) => this.keep(tx, file));
      return { documentId: document.id, status };
    } catch (error) {
      if (!(await this.mayBeKept(document))) await this.bytes.removeNow(storageKey);
      throw error;
    }
  }

  private async getAwaited({ companyId, subjectId }: UploadTicket): Promise<Document> {
    const document =
      subjectId === null
        ? null
        : await this.database.read(companyId, async (tx) => {
            const found = await this.documents.find(tx, subjectId);
            if (found) await this.room.check(tx, found.memberId);
            return found;
          });
    if (!document || document.uploadError !== null) throw notFound('document');
    // The client may repeat an upload whose response was lost.
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

  /** Whether the document may have its content after all. If unknown, the bytes are kept: better too many than none. */
  private async mayBeKept({ companyId, id }: Document): Promise<boolean> {
    try {
      const found = await this.database.read(companyId, (tx) => this.documents.find(tx, id));
      return found?.contentId != null;
    } catch {
      return true;
    }
  }

  /** Links the document to its content; returns the content's status. Rejects with NOT_FOUND when it was deleted. */
  async keep(tx: Transaction, file: ArrivedFile): Promise<DocumentStatus> {
    const { id, status } = await this.holdContent(tx, file);
    if (!(await this.documents.link(tx, file.document.id, { id, bytes: file.bytes })))
      throw notFound('document');
    await this.hints.announce(tx, tx.companyId, file.document.id);
    return status;
  }

  private async holdContent(
    tx: Transaction,
    file: ArrivedFile,
  ): Promise<Pick<DocumentContent, 'id' | 'status'>> {
    for (;;) {
      const held = await this.contents.holdBySha256(tx, file.sha256);
      if (held) return this.share(tx, held, file);
      const content = { ...file, id: newId(), name: file.document.name };
      // A concurrent upload of the same bytes is waited for here, and found in the next round.
      if (await this.contents.insert(tx, content)) return this.begin(tx, content.id);
    }
  }

  /** Uses an existing content. One that failed is processed again, as the cause may be gone. */
  private async share(
    tx: Transaction,
    held: DocumentContent,
    { document, storageKey }: ArrivedFile,
  ): Promise<Pick<DocumentContent, 'id' | 'status'>> {
    const isAnew = held.status === 'FAILED';
    await this.bytes.removeLater(tx, tx.companyId, isAnew ? held.storageKey : storageKey);
    if (!isAnew) return held;
    // The new bytes certainly exist, unlike maybe the old ones.
    await this.contents.renew(tx, held.id, { storageKey, name: document.name });
    await this.hints.announce(tx, tx.companyId, held.id);
    return this.begin(tx, held.id);
  }

  private async begin(tx: Transaction, contentId: string): Promise<Pick<DocumentContent, 'id' | 'status'>> {
    const behind = await this.contents.countWaiting(tx, contentId);
    await this.jobs.enqueue(tx, processDocument, { companyId: tx.companyId, contentId }, { behind });
    return { id: contentId, status: 'PENDING' };
  }
}
