import { Injectable } from '@nestjs/common';

import { Database } from '../../platform/database/database.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import {
  AnalysisRequestRepository,
  type NewAnalysisRequest,
  AnalysisRepository,
  type DocumentAnalysis,
} from './analysis.repository.js';
import { analysisTopic, analyzeDocument } from './analyze-document.job.js';
import { isOver } from '../document-view.js';

interface AskedFor extends Omit<NewAnalysisRequest, 'analysisId'> {
  contentId: string;
  /** See storedFocus. */
  focus: string;
  language: string;
}

/** Starts analyses of documents and reports on them. */
@Injectable()
export class DocumentAnalyses {
  constructor(
    private readonly database: Database,
    private readonly analyses: AnalysisRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
  ) {}

  /** Returns the existing analysis or starts one; the turn waits for it from now on. Null: the document is gone. */
  async ask(
    tx: Transaction,
    { contentId, focus, language, ...request }: AskedFor,
  ): Promise<DocumentAnalysis | null> {
    if (!(await this.analyses.holdContent(tx, contentId))) return null;
    const { analysis, isNew } = await this.analyses.findOrAdd(tx, { contentId, focus, language });
    const { id: analysisId, status } = analysis;
    if (status === 'COMPLETED') return analysis;
    await this.requests.put(tx, { ...request, analysisId });
    if (isNew || (await this.analyses.isSilent(tx, analysisId)))
      await this.jobs.enqueue(tx, analyzeDocument, { companyId: tx.companyId, analysisId });
    return analysis;
  }

  /** The analysis as the turn sees it. Null: it was removed with its document. */
  find(companyId: string, id: string, turnId: string): Promise<DocumentAnalysis | null> {
    return this.database.read(companyId, async (tx) =>
      this.seenBy(tx, turnId, await this.analyses.find(tx, { id })),
    );
  }

  /** The turn stops waiting: its member will be notified of the end. Returns the analysis, which may have ended. */
  leave(companyId: string, id: string, turnId: string): Promise<DocumentAnalysis | null> {
    return this.database.transaction(companyId, async (tx) => {
      // Locked, so that the analysis ends either before this or after it has been noted.
      const analysis = await this.seenBy(tx, turnId, await this.analyses.lock(tx, { id }, 'FOR UPDATE'));
      if (analysis && !isOver(analysis))
        await this.requests.update(tx, { analysisId: id, turnId }, { isToTell: true });
      return analysis;
    });
  }

  /** Calls `onHint` whenever the analysis may have changed, until the returned function is called. */
  follow(id: string, onHint: () => void): () => void {
    return this.pubSub.follow(analysisTopic(id), onHint, onHint);
  }

  /** For a refused requester it counts as failed, even if it continues for others. */
  private async seenBy(
    tx: Transaction,
    turnId: string,
    analysis: DocumentAnalysis | null,
  ): Promise<DocumentAnalysis | null> {
    if (!analysis || isOver(analysis)) return analysis;
    const isRefused = await this.requests.isRefused(tx, analysis.id, turnId);
    return isRefused ? { ...analysis, status: 'FAILED', failure: 'QUOTA' } : analysis;
  }
}
