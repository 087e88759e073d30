import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { FileStorage } from '../../storage/file-storage.js';
import { DocumentContentRepository } from '../document-content.repository.js';
import { type BytesAddress, removeDocumentBytes } from './remove-document-bytes.job.js';

/** Where the bytes of documents are, and how they go. */
@Injectable()
export class DocumentBytes implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly contents: DocumentContentRepository,
    private readonly storage: FileStorage,
    private readonly jobs: JobQueue,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(removeDocumentBytes, (address) => this.removeUnused(address));
  }

  /** Where what is uploaded for a document goes. It stays there when the document has its content to itself. */
  keyOf({ companyId, id }: { companyId: string; id: string }): string {
    return `documents/${companyId}/${id}`;
  }

  /** Has the bytes removed once `tx` is committed, unless a content has them there. */
  removeLater(tx: Transaction, companyId: string, storageKey: string): Promise<void> {
    return this.jobs.enqueue(tx, removeDocumentBytes, { companyId, storageKey });
  }

  private async removeUnused({ companyId, storageKey }: BytesAddress): Promise<void> {
    const isUsed = await this.database.read(companyId, (tx) => this.contents.usesKey(tx, storageKey));
    if (!isUsed) await this.storage.remove(storageKey);
  }
}
