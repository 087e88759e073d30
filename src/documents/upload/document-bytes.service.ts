import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { z } from 'zod';

import { LOGGER, type Logger } from '../../common/process/logger.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { defineJob, JobQueue } from '../../platform/jobs/job-queue.js';
import { FileStorage } from '../../platform/storage/file-storage.js';
import { DocumentContentRepository } from '../document-content.repository.js';

const Address = z.object({ companyId: z.uuid(), storageKey: z.string().max(200) });
type BytesAddress = z.output<typeof Address>;

/** Removes bytes that no content uses. A job, so that a dying server leaves nothing behind. */
const removeDocumentBytes = defineJob({
  name: 'remove-document-bytes',
  data: Address,
  keyOf: ({ storageKey }) => storageKey,
});

/** Names and removes the stored bytes of documents. */
@Injectable()
export class DocumentBytes implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly contents: DocumentContentRepository,
    private readonly storage: FileStorage,
    private readonly jobs: JobQueue,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(removeDocumentBytes, (address) => this.removeUnused(address));
  }

  /** The storage key for a document's upload. A new content keeps its bytes under it. */
  keyOf({ companyId, id }: { companyId: string; id: string }): string {
    return `documents/${companyId}/${id}`;
  }

  /** Removes the bytes after `tx` is committed, unless a content uses them. */
  removeLater(tx: Transaction, companyId: string, storageKey: string): Promise<void> {
    return this.jobs.enqueue(tx, removeDocumentBytes, { companyId, storageKey });
  }

  /** Removes bytes that no content uses; never rejects. */
  async removeNow(storageKey: string): Promise<void> {
    await this.storage.remove(storageKey).catch((error: unknown) => {
      this.logger.warn({ err: error, storageKey }, 'the bytes of a document could not be removed');
    });
  }

  private async removeUnused({ companyId, storageKey }: BytesAddress): Promise<void> {
    const isUsed = await this.database.read(companyId, (tx) => this.contents.usesKey(tx, storageKey));
    if (!isUsed) await this.storage.remove(storageKey);
  }
}
