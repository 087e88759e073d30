import { Injectable } from '@nestjs/common';

import type { JsonObject } from '../../common/json.js';
import { Database } from '../../database/database.js';
import { together } from '../../database/together.js';
import type { Transaction } from '../../database/transaction.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { PubSub } from '../../pubsub/pub-sub.js';
import { AnalysisHooks } from './analysis-hooks.js';
import type { AnalysisPiece } from './analysis-piece.entity.js';
import type { AnalysisRequest } from './analysis-request.entity.js';
import { AnalysisRequestRepository } from './analysis-request.repository.js';
import type { AnalysisResult } from './analysis-result.js';
import { analysisTopic } from './analysis-topic.js';
import { AnalysisRepository } from './analysis.repository.js';
import { type AskedAnalysis, analyzeDocument } from './analyze-document.job.js';
import type { AnalysisFailure, DocumentAnalysis } from './document-analysis.entity.js';

/** Thrown to an attempt that another one has taken the place of, or whose document was deleted. */
export class AnalysisLost extends Error {
  override readonly name = 'AnalysisLost';

  constructor() {
    super('Somebody else works on this analysis, or it is gone.');
  }
}

/** An analysis as whoever works on it holds it. */
export interface ClaimedAnalysis {
  analysis: DocumentAnalysis;
  /** Whom it is counted for. */
  payer: AnalysisRequest;
  /** What there is of them already, of all levels. */
  pieces: AnalysisPiece[];
  /** The document's; null: it has none. */
  pages: number | null;
}

type Outcome = { result: AnalysisResult; failure: null } | { result: null; failure: AnalysisFailure };

/** What those who work on analyses store. What an older attempt writes is refused: rejects with AnalysisLost. */
@Injectable()
export class AnalysisWork {
  constructor(
    private readonly database: Database,
    private readonly analyses: AnalysisRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly hooks: AnalysisHooks,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
  ) {}

  /** Null: there is nothing to be done, or nobody waits for it any more. */
  claim({ companyId, analysisId }: AskedAnalysis): Promise<ClaimedAnalysis | null> {
    return this.database.transaction(companyId, async (tx) => {
      const analysis = await this.analyses.claim(tx, analysisId);
      if (!analysis) return null;
      const [payer] = await this.requests.list(tx, analysisId);
      if (!payer) {
        await this.analyses.remove(tx, analysisId);
        return null;
      }
      const [pieces, pages] = await together([
        this.analyses.listPieces(tx, analysisId),
        this.analyses.countPages(tx, analysis.contentId),
      ]);
      return { analysis, payer, pieces, pages };
    });
  }

  /** Stores what a level is made of, and gives its pieces. */
  plan(
    analysis: DocumentAnalysis,
    level: number,
    parts: readonly { first: number; last: number }[],
  ): Promise<AnalysisPiece[]> {
    return this.write(analysis, async (tx) => {
      await this.analyses.plan(tx, analysis.id, level, parts);
      const pieces = await this.analyses.listPieces(tx, analysis.id);
      return pieces.filter((piece) => piece.level === level);
    });
  }

  /** What was found in a piece; null: nothing that could be used. `progress`: of the whole, 0 to 1. */
  storePiece(
    analysis: DocumentAnalysis,
    piece: AnalysisPiece,
    findings: JsonObject | null,
    progress: number,
  ): Promise<void> {
    return this.write(analysis, async (tx) => {
      await this.analyses.storePiece(tx, analysis.id, piece, findings);
      await this.analyses.advance(tx, analysis.id, progress);
    });
  }

  /** Puts it in line again. */
  putBack(analysis: DocumentAnalysis): Promise<void> {
    return this.write(analysis, (tx) => this.enqueue(tx, analysis));
  }

  /** Leaves it to the job's next attempt, after so many errors. */
  release(analysis: DocumentAnalysis, errors: number): Promise<void> {
    return this.write(analysis, (tx) => this.analyses.release(tx, analysis.id, errors));
  }

  /** What was granted to whom it is counted for is used up: it goes on for the next who asked, if there is one. */
  refuse(analysis: DocumentAnalysis, { memberId }: AnalysisRequest): Promise<void> {
    return this.write(analysis, async (tx) => {
      const requests = await this.requests.list(tx, analysis.id);
      const refused = requests.filter((request) => request.memberId === memberId);
      const outcome = { result: null, failure: 'QUOTA' } as const;
      if (refused.length === requests.length) return this.store(tx, analysis, outcome);
      await this.hooks.ended(tx, outcome, refused);
      await this.requests.refuse(tx, analysis.id, memberId);
      await this.enqueue(tx, analysis);
    });
  }

  /** The same, later and later while the model cannot be reached. False: it has been tried often enough. */
  putOff(
    analysis: DocumentAnalysis,
    { most, pauseSeconds }: { most: number; pauseSeconds: number },
  ): Promise<boolean> {
    return this.write(analysis, async (tx) => {
      const failures = await this.analyses.countFailure(tx, analysis.id);
      if (failures > most) return false;
      await this.enqueue(tx, analysis, pauseSeconds * 2 ** (failures - 1));
      return true;
    });
  }

  complete(analysis: DocumentAnalysis, result: AnalysisResult): Promise<void> {
    return this.end(analysis, { result, failure: null });
  }

  fail(analysis: DocumentAnalysis, failure: AnalysisFailure): Promise<void> {
    return this.end(analysis, { result: null, failure });
  }

  private end(analysis: DocumentAnalysis, outcome: Outcome): Promise<void> {
    return this.write(analysis, (tx) => this.store(tx, analysis, outcome));
  }

  private async store(tx: Transaction, { id }: DocumentAnalysis, outcome: Outcome): Promise<void> {
    const requests = await this.requests.list(tx, id);
    if (outcome.failure === null) await this.analyses.complete(tx, id, outcome.result);
    else await this.analyses.fail(tx, id, outcome.failure);
    // Members first, then what they wait for: who removes a member holds them in the same order.
    await this.hooks.ended(tx, outcome, requests);
    await this.requests.removeAll(tx, id);
  }

  private async enqueue(
    tx: Transaction,
    { id: analysisId, errors }: DocumentAnalysis,
    startAfterSeconds = 0,
  ): Promise<void> {
    await this.analyses.release(tx, analysisId, errors);
    const asked = { companyId: tx.companyId, analysisId };
    await this.jobs.enqueue(tx, analyzeDocument, asked, { startAfterSeconds });
  }

  private write<T>(
    { companyId, id: analysisId, attempt }: DocumentAnalysis,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(companyId, async (tx) => {
      if (!(await this.analyses.hold(tx, { analysisId, attempt }))) throw new AnalysisLost();
      const result = await work(tx);
      await this.pubSub.publish(tx, analysisTopic(analysisId), '');
      return result;
    });
  }
}
