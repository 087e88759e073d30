import { Injectable } from '@nestjs/common';

import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { AnalysisRequestRepository, type NewAnalysisRequest } from './analysis-request.repository.js';
import { AnalysisRepository } from './analysis.repository.js';
import { analysisTopic } from './analysis-topic.js';
import { analyzeDocument } from './analyze-document.job.js';
import type { AnalysisFocus, DocumentAnalysis } from './document-analysis.entity.js';

/** What is asked for, and by whom. */
export interface AskedFor extends Omit<NewAnalysisRequest, 'analysisId'> {
  contentId: string;
  focus: AnalysisFocus;
  language: string;
}

/** Has documents analysed for whoever asks. */
@Injectable()
export class DocumentAnalyses {
  constructor(
    private readonly database: Database,
    private readonly analyses: AnalysisRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
  ) {}

  /** What there is already, or its beginning: the turn waits for it from now on. Null: the document is gone. */
  async ask(
    tx: Transaction,
    { contentId, focus, language, ...request }: AskedFor,
  ): Promise<DocumentAnalysis | null> {
    if (!(await this.analyses.holdContent(tx, contentId))) return null;
    const { analysis, isNew } = await this.analyses.put(tx, { contentId, focus, language });
    const { id: analysisId, status } = analysis;
    if (status === 'COMPLETED') return analysis;
    await this.requests.put(tx, { ...request, analysisId });
    if (isNew || (await this.analyses.isSilent(tx, analysisId))) {
      await this.jobs.enqueue(tx, analyzeDocument, { companyId: tx.companyId, analysisId });
    }
    return analysis;
  }

  /** As it stands for the turn. Null: it went with its document. */
  find(companyId: string, id: string, turnId: string): Promise<DocumentAnalysis | null> {
    return this.database.read(companyId, async (tx) =>
      this.seenBy(tx, turnId, await this.analyses.find(tx, id)),
    );
  }

  /** The turn waits for it no longer: its member is told of the end, unless it has come, which is given then. */
  leave(companyId: string, id: string, turnId: string): Promise<DocumentAnalysis | null> {
    return this.database.transaction(companyId, async (tx) => {
      // Held, so that the end comes before this or sees it.
      const analysis = await this.seenBy(tx, turnId, await this.analyses.findHeld(tx, id));
      if (analysis && !hasEnded(analysis)) await this.requests.leave(tx, id, turnId);
      return analysis;
    });
  }

  /** Calls `onHint` whenever there may be something new of it, until the returned function is called. */
  follow(id: string, onHint: () => void): () => void {
    const stops = [this.pubSub.subscribe(analysisTopic(id), onHint), this.pubSub.onGap(onHint)];
    return () => stops.forEach((stop) => stop());
  }

  /** For whom it was refused, it has failed, even if it goes on for others. */
  private async seenBy(
    tx: Transaction,
    turnId: string,
    analysis: DocumentAnalysis | null,
  ): Promise<DocumentAnalysis | null> {
    if (!analysis || hasEnded(analysis)) return analysis;
    const isRefused = await this.requests.isRefused(tx, analysis.id, turnId);
    return isRefused ? { ...analysis, status: 'FAILED', failure: 'QUOTA' } : analysis;
  }
}

export const hasEnded = ({ status }: DocumentAnalysis): boolean =>
  status === 'COMPLETED' || status === 'FAILED';
