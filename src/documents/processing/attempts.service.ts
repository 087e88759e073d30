import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { DocumentHints } from '../progress/document-hints.service.js';
import type { DocumentContent } from '../document-content.entity.js';
import type { CutPassage } from '../passages/cut-passage.js';
import { PassageIndex } from '../passages/passage-index.service.js';
import { AttemptRepository, type ReadContent } from './attempt.repository.js';
import type { ContentAddress } from './process-document.job.js';

/** Somebody else goes on with the content, or it is gone: there is nothing more to do. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** What an attempt at processing a content writes, each in a short transaction that a later attempt has refused. */
@Injectable()
export class Attempts {
  constructor(
    private readonly database: Database,
    private readonly attempts: AttemptRepository,
    private readonly passages: PassageIndex,
    private readonly hints: DocumentHints,
  ) {}

  /** Begins anew: nothing of an earlier attempt is left. Null: there is nothing to do. */
  begin({ companyId, contentId }: ContentAddress): Promise<DocumentContent | null> {
    return this.database.transaction(companyId, async (tx) => {
      const content = await this.attempts.begin(tx, contentId);
      if (!content) return null;
      if (content.passageCount > 0) {
        await this.passages.removeContent(tx, contentId);
        const { passageCount: from, progress } = content;
        await this.attempts.advance(tx, content, { from, to: 0, progress });
      }
      await this.hints.tell(tx, companyId, contentId);
      return { ...content, passageCount: 0 };
    });
  }

  /** Adds passages to the first `from`; none: notes the progress. Rejects with Superseded. Repeating it does no harm. */
  add(
    content: DocumentContent,
    from: number,
    passages: readonly CutPassage[],
    progress: number,
  ): Promise<void> {
    return this.database.transaction(content.companyId, async (tx) => {
      const to = from + passages.length;
      if (await this.attempts.advance(tx, content, { from, to, progress })) {
        if (passages.length > 0) await this.passages.put(tx, content.id, passages);
        await this.hints.tell(tx, content.companyId, content.id);
        return;
      }
      // A connection that breaks at the end does not tell whether the database has heard of it.
      const found = await this.attempts.find(tx, content);
      if (found?.status !== 'PROCESSING' || found.passageCount !== to) throw new Superseded();
    });
  }

  /** Rejects with Superseded. Repeating it does no harm. */
  complete(content: DocumentContent, read: ReadContent): Promise<void> {
    return this.end(content, 'COMPLETED', (tx) => this.attempts.complete(tx, content, read));
  }

  /** Says why it cannot be read; nothing of it is kept. Rejects with Superseded. Repeating it does no harm. */
  fail(content: DocumentContent, outcome: { error: string } & Omit<ReadContent, 'language'>): Promise<void> {
    return this.end(content, 'FAILED', async (tx) => {
      if (!(await this.attempts.fail(tx, content, outcome))) return false;
      await this.passages.removeContent(tx, content.id);
      return true;
    });
  }

  /** Leaves it to a later attempt, after so many failures. Nothing where somebody else goes on already. */
  async release(content: DocumentContent, failures: number): Promise<void> {
    await this.database.transaction(content.companyId, async (tx) => {
      if (await this.attempts.release(tx, content, { failures }))
        await this.hints.tell(tx, content.companyId, content.id);
    });
  }

  private end(
    content: DocumentContent,
    status: DocumentContent['status'],
    write: (tx: Transaction) => Promise<boolean>,
  ): Promise<void> {
    return this.database.transaction(content.companyId, async (tx) => {
      if (await write(tx)) return this.hints.tell(tx, content.companyId, content.id);
      const found = await this.attempts.find(tx, content);
      if (found?.status !== status) throw new Superseded();
    });
  }
}
