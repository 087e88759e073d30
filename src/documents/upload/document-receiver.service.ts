import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@palabre/json';

import { DomainError, notFound } from '../../common/errors/domain-error.js';
import { newId, NIL_ID } from '../../common/ids.js';
import { holdingBody } from '../../companies/files/held-bodies.js';
import type { UploadTicket } from '../../companies/files/upload-tickets.service.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { FileStorage, FileTooLarge, type Measured } from '../../platform/storage/file-storage.js';
import { ImageRefused, readImage, type ReadImage } from '../attachments/image.js';
import {
  type DocumentContent,
  type DocumentStatus,
  DocumentContentRepository,
} from '../document-content.repository.js';
import { DocumentProgress } from '../document-progress.service.js';
import { DocumentStorage } from '../document-storage.service.js';
import type { Document, DocumentScope } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';
import { processDocument } from '../processing/process-document.job.js';
import { DocumentBytes } from './document-bytes.service.js';

/** Stored bytes that were uploaded for a document. */
interface ArrivedFile extends Measured {
  document: Pick<Document, 'companyId' | 'id' | 'name' | 'memberId' | 'scope'>;
  storageKey: string;
  /** The type of a processed image. Null: to be detected. */
  mediaType: string | null;
}

type Stored = Pick<DocumentContent, 'id' | 'status'>;

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
    private readonly progress: DocumentProgress,
  ) {}

  /**
   * Stores the bytes and enqueues their processing, unless the company has the same bytes already. Rejects with NOT_FOUND
   * when the document was deleted meanwhile, with CONFLICT when it was uploaded before or there is no room left, and with
   * PAYLOAD_TOO_LARGE. A failed upload leaves nothing behind.
   */
  async receive(ticket: UploadTicket, content: Readable, signal: AbortSignal): Promise<JsonObject> {
    const document = await this.getAwaited(ticket);
    const storageKey = this.bytes.keyOf(document);
    const { attachmentId } = document;
    const named: JsonObject = attachmentId === null ? { documentId: document.id } : { attachmentId };
    const image = document.kind === 'IMAGE' ? await this.readImage(document, content, signal) : null;
    if (image === 'REFUSED') return { ...named, status: 'FAILED' };
    const measured = await this.store(document, storageKey, image?.bytes ?? content, signal);
    const file: ArrivedFile = { document, storageKey, ...measured, mediaType: image?.mediaType ?? null };
    try {
      signal.throwIfAborted();
      const status = await this.database.transaction(document.companyId, (tx) => this.keep(tx, file));
      return { ...named, status };
    } catch (error) {
      if (!(await this.mayBeKept(document))) await this.bytes.removeNow(storageKey);
      throw error;
    }
  }

  /** Images are processed at once, so that metadata is never stored. */
  private async readImage(
    document: Document,
    content: Readable,
    signal: AbortSignal,
  ): Promise<ReadImage | 'REFUSED'> {
    try {
      const { companyId } = document;
      return await holdingBody(companyId, content, (bytes) => readImage(companyId, bytes), signal);
    } catch (error) {
      if (!(error instanceof ImageRefused)) throw error;
      await this.database.transaction(document.companyId, async (tx) => {
        await this.documents.refuse(tx, document.id, 'IMAGE_REFUSED');
        await this.progress.announce(tx, tx.companyId, document.id);
      });
      return 'REFUSED';
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
    { mediaType, bytes }: Document,
    storageKey: string,
    content: Readable | Buffer,
    signal: AbortSignal,
  ): Promise<Measured> {
    // A rewritten image may have more bytes than the original.
    const maxBytes = content instanceof Buffer ? content.byteLength : bytes;
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
    const { id, status } = await this.holdContent(tx, file, ownerOf(file.document));
    if (!(await this.documents.link(tx, file.document.id, { id, bytes: file.bytes })))
      throw notFound('document');
    await this.progress.announce(tx, tx.companyId, file.document.id);
    return status;
  }

  private async holdContent(tx: Transaction, file: ArrivedFile, ownerId: string): Promise<Stored> {
    const { sha256, mediaType } = file;
    for (;;) {
      const held = await this.contents.holdBySha256(tx, { ownerId, sha256 });
      if (held) return this.share(tx, held, file);
      const content = { ...file, ownerId, id: newId(), name: file.document.name };
      // A concurrent upload of the same bytes is waited for here, and found in the next round.
      if (!(await this.contents.insert(tx, content))) continue;
      if (mediaType === null) return this.begin(tx, content.id);
      await this.contents.completeImage(tx, content.id, mediaType);
      return { id: content.id, status: 'COMPLETED' };
    }
  }

  /**
   * Shares a document with the company, or gives it back to its conversation. The new content is processed anew and
   * has the same bytes. False: the document has changed.
   */
  async move(
    tx: Transaction,
    document: Document,
    content: DocumentContent,
    scope: DocumentScope,
  ): Promise<boolean> {
    const { sha256, storageKey, bytes } = content;
    const file = { document: { ...document, scope }, storageKey, sha256, bytes, mediaType: null };
    const { id: contentId } = await this.holdContent(tx, file, ownerOf(file.document));
    return this.documents.rescope(tx, document, { scope, contentId });
  }

  /** Uses an existing content. One that failed is processed again, as the cause may be gone. */
  private async share(
    tx: Transaction,
    held: DocumentContent,
    { document, storageKey }: ArrivedFile,
  ): Promise<Stored> {
    const isAnew = held.status === 'FAILED';
    await this.bytes.removeLater(tx, tx.companyId, isAnew ? held.storageKey : storageKey);
    if (!isAnew) return held;
    // The new bytes certainly exist. The old ones may not.
    await this.contents.renew(tx, held.id, { storageKey, name: document.name });
    await this.progress.announce(tx, tx.companyId, held.id);
    return this.begin(tx, held.id);
  }

  private async begin(tx: Transaction, contentId: string): Promise<Stored> {
    const behind = await this.contents.countWaiting(tx, contentId);
    await this.jobs.enqueue(tx, processDocument, { companyId: tx.companyId, contentId }, { behind });
    return { id: contentId, status: 'PENDING' };
  }
}

/** The owner of a document's content. Attachments share bytes only among their owner's. */
function ownerOf({ scope, memberId }: Pick<Document, 'scope' | 'memberId'>): string {
  return scope === 'COMPANY' ? NIL_ID : memberId;
}
