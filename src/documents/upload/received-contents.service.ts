import { Injectable } from '@nestjs/common';

import { notFound } from '../../common/errors/domain-error.js';
import { newId } from '../../common/ids.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { Measured } from '../../storage/file-storage.js';
import type { DocumentContent, DocumentStatus } from '../document-content.entity.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import { DocumentHints } from '../progress/document-hints.service.js';
import type { Document } from '../document.entity.js';
import { DocumentRepository } from '../document.repository.js';
import { processDocument } from '../processing/process-document.job.js';
import { DocumentBytes } from './document-bytes.service.js';

/** Bytes that are in the storage and were sent for a document. */
export interface ArrivedFile extends Measured {
  document: Pick<Document, 'companyId' | 'id' | 'name'>;
  storageKey: string;
}

/** Gives documents whose bytes have come their content: a company has the same bytes once. */
@Injectable()
export class ReceivedContents {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly contents: DocumentContentRepository,
    private readonly bytes: DocumentBytes,
    private readonly jobs: JobQueue,
    private readonly hints: DocumentHints,
  ) {}

  /** Gives how the content stands. Rejects with NOT_FOUND when nobody waits for it any more. */
  async keep(tx: Transaction, file: ArrivedFile): Promise<DocumentStatus> {
    const { id, status } = await this.holdContent(tx, file);
    if (!(await this.documents.link(tx, file.document.id, id))) throw notFound('document');
    await this.hints.tell(tx, tx.companyId, file.document.id);
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
      // Whoever sends the same at the same moment is waited for here, and found by the next look.
      if (await this.contents.insert(tx, content)) return this.begin(tx, content.id);
    }
  }

  /** What could not be read may be read now, as with a server that has room again; all else is there already. */
  private async share(
    tx: Transaction,
    held: DocumentContent,
    { document, storageKey }: ArrivedFile,
  ): Promise<Pick<DocumentContent, 'id' | 'status'>> {
    const isAnew = held.status === 'FAILED';
    await this.bytes.removeLater(tx, tx.companyId, isAnew ? held.storageKey : storageKey);
    if (!isAnew) return held;
    // The bytes that have come now are surely there.
    await this.contents.renew(tx, held.id, { storageKey, name: document.name });
    await this.hints.tell(tx, tx.companyId, held.id);
    return this.begin(tx, held.id);
  }

  private async begin(tx: Transaction, contentId: string): Promise<Pick<DocumentContent, 'id' | 'status'>> {
    const behind = await this.contents.countWaiting(tx, contentId);
    await this.jobs.enqueue(tx, processDocument, { companyId: tx.companyId, contentId }, { behind });
    return { id: contentId, status: 'PENDING' };
  }
}
