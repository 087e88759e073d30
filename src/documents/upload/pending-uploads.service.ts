import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { LINK_MS } from '../../companies/files/signed-links.js';
import { MAX_UPLOAD_MS } from '../../companies/files/incoming-body.js';
import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue, recurringJob, workRepeatedly } from '../../platform/jobs/job-queue.js';
import { DocumentProgress } from '../document-progress.service.js';
import { DocumentRemoval } from '../document-removal.service.js';
import { DocumentRepository } from '../document.repository.js';
import { DocumentBytes } from './document-bytes.service.js';

/** An upload may begin at the last moment of its link, and then take its maximum time. */
export const UPLOAD_DEADLINE_MS = LINK_MS + MAX_UPLOAD_MS;

const AT_ONCE = 500;

/** People may write a question for this long. */
export const UNUSED_ATTACHMENT_MS = 24 * 3_600_000;

/** Gives up documents whose bytes never arrived, and removes attachments that no question used. */
const giveUpDocuments = recurringJob({ name: 'give-up-documents', everySeconds: 3_600 });

/** Gives up documents whose bytes never arrived, and removes unused attachments, for all companies. */
@Injectable()
export class PendingUploads implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly documents: DocumentRepository,
    private readonly bytes: DocumentBytes,
    private readonly progress: DocumentProgress,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly removal: DocumentRemoval,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await workRepeatedly(this.jobs, this.database, giveUpDocuments, () => this.giveUp(this.clock.now()));
  }

  /** Gives up documents past the deadline. Two rounds at once do no harm. */
  async giveUp(now: Date): Promise<void> {
    const before = new Date(now.getTime() - UPLOAD_DEADLINE_MS);
    let given = AT_ONCE;
    while (given === AT_ONCE)
      given = await this.database.systemTransaction((tx) => this.giveUpSome(tx, before));
    await this.removeUnused(new Date(now.getTime() - UNUSED_ATTACHMENT_MS));
  }

  private async removeUnused(before: Date): Promise<void> {
    for (;;) {
      const companies = await this.database.systemTransaction((tx) =>
        this.documents.listCompaniesWithUnused(tx, before, AT_ONCE),
      );
      if (companies.length === 0) return;
      for (const companyId of companies)
        await this.removal.removeAttached({ companyId, memberId: null }, before);
    }
  }

  private async giveUpSome(tx: Transaction, before: Date): Promise<number> {
    const given = await this.documents.giveUp(tx, { before, error: 'NEVER_CAME', limit: AT_ONCE });
    for (const document of given) {
      // A server that died during the upload may have left bytes.
      await this.bytes.removeLater(tx, document.companyId, this.bytes.keyOf(document));
      await this.progress.announce(tx, document.companyId, document.id);
    }
    return given.length;
  }
}
