import { Injectable } from '@nestjs/common';
import type { CutPassage } from '@palabre/passages';

import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import {
  type DocumentContent,
  DocumentContentRepository,
  type ReadContent,
} from '../document-content.repository.js';
import type { DocumentRemark } from '../document-remark.js';
import { DocumentProgress } from '../document-progress.service.js';
import { PassageIndex } from '../passages/passage-index.service.js';
import type { ContentAddress } from './process-document.job.js';

/** Thrown when a later attempt has the content, or it is gone. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** The writes of an attempt at processing a content, in short transactions. Refused once there is a later attempt. */
@Injectable()
export class ProcessingAttempts {
  constructor(
    private readonly database: Database,
    private readonly contents: DocumentContentRepository,
    private readonly passages: PassageIndex,
    private readonly progress: DocumentProgress,
  ) {}

  async listUnfinished(tx: Transaction): Promise<ContentAddress[]> {
    const ids = await this.contents.listUnfinished(tx);
    return ids.map((contentId) => ({ companyId: tx.companyId, contentId }));
  }

  /** Begins an attempt and deletes the passages of earlier ones. Null: there is nothing to do. */
  begin({ companyId, contentId }: ContentAddress): Promise<DocumentContent | null> {
    return this.database.transaction(companyId, async (tx) => {
      const content = await this.contents.beginAttempt(tx, contentId);
      if (!content) return null;
      if (content.passageCount > 0) {
        await this.passages.removeContent(tx, content);
        const { passageCount: from, progress } = content;
        await this.contents.advance(tx, content, { from, to: 0, progress });
      }
      await this.progress.announce(tx, companyId, contentId);
      return { ...content, passageCount: 0 };
    });
  }

  /** Stores passages after the first `from`, and the progress. Idempotent. Rejects with Superseded. */
  add(
    content: DocumentContent,
    from: number,
    passages: readonly CutPassage[],
    progress: number,
  ): Promise<void> {
    return this.database.transaction(content.companyId, async (tx) => {
      const to = from + passages.length;
      if (await this.contents.advance(tx, content, { from, to, progress })) {
        if (passages.length > 0) await this.passages.put(tx, content, passages);
        await this.progress.announce(tx, content.companyId, content.id);
        return;
      }
      // If the connection broke at the commit, an earlier call may have stored them.
      const found = await this.contents.findAttempt(tx, content);
      if (found?.status !== 'PROCESSING' || found.passageCount !== to) throw new Superseded();
    });
  }

  /** Idempotent. Rejects with Superseded. */
  complete(content: DocumentContent, read: ReadContent): Promise<void> {
    return this.end(content, 'COMPLETED', (tx) => this.contents.complete(tx, content, read));
  }

  /** Stores why it cannot be read, and deletes its passages. Idempotent. Rejects with Superseded. */
  fail(
    content: DocumentContent,
    outcome: { error: readonly DocumentRemark[] } & Omit<ReadContent, 'language'>,
  ): Promise<void> {
    return this.end(content, 'FAILED', async (tx) => {
      if (!(await this.contents.fail(tx, content, outcome))) return false;
      await this.passages.removeContent(tx, content);
      return true;
    });
  }

  /** Leaves it to a later attempt and stores the number of failures. Does nothing if there is a later attempt. */
  async release(content: DocumentContent, failures: number): Promise<void> {
    await this.database.transaction(content.companyId, async (tx) => {
      if (await this.contents.release(tx, content, { failures }))
        await this.progress.announce(tx, content.companyId, content.id);
    });
  }

  private end(
    content: DocumentContent,
    status: DocumentContent['status'],
    write: (tx: Transaction) => Promise<boolean>,
  ): Promise<void> {
    return this.database.transaction(content.companyId, async (tx) => {
      if (await write(tx)) return this.progress.announce(tx, content.companyId, content.id);
      const found = await this.contents.findAttempt(tx, content);
      if (found?.status !== status) throw new Superseded();
    });
  }
}
