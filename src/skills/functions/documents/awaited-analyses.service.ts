import { Injectable } from '@nestjs/common';
import { rejectOnAbort } from '@palabre/async';

import type { DocumentAnalysis } from '../../../documents/analysis/analysis.repository.js';
import { DocumentAnalyses } from '../../../documents/analysis/document-analyses.service.js';
import { isOver } from '../../../documents/document-view.js';

interface Waiting {
  companyId: string;
  turnId: string;
  maxMs: number;
  signal: AbortSignal;
  onProgress(analysis: DocumentAnalysis): void;
}

/** Waits for analyses as long as a person would. */
@Injectable()
export class AwaitedAnalyses {
  constructor(private readonly analyses: DocumentAnalyses) {}

  /**
   * The analysis once it has ended, or as it is after `maxMs`. Null: its document was deleted. Rejects with the
   * signal's reason. If it has not ended, a notification will tell the member.
   */
  async wait(
    id: string,
    { companyId, turnId, maxMs, signal, onProgress }: Waiting,
  ): Promise<DocumentAnalysis | null> {
    const overdue = AbortSignal.timeout(maxMs);
    const over = AbortSignal.any([signal, overdue]);
    let hint = Promise.withResolvers<void>();
    // Listens first, so that changes after the first look wake the wait.
    const stop = this.analyses.follow(id, () => hint.resolve());
    try {
      while (!overdue.aborted) {
        signal.throwIfAborted();
        hint = Promise.withResolvers<void>();
        const analysis = await this.analyses.find(companyId, id, turnId);
        if (!analysis || isOver(analysis)) return analysis;
        onProgress(analysis);
        await rejectOnAbort(() => hint.promise, over).catch(() => undefined);
      }
      signal.throwIfAborted();
      return await this.analyses.leave(companyId, id, turnId);
    } catch (error) {
      // The stored state decides, not the reason why the wait ended.
      await this.analyses.leave(companyId, id, turnId).catch(() => undefined);
      throw error;
    } finally {
      stop();
    }
  }
}
