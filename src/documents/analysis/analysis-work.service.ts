import { Injectable } from '@nestjs/common';
import { backoffMs } from '@palabre/async';
import type { JsonObject } from '@palabre/json';

import { fill, wordingIn } from '../../common/wording/wording.js';
import { AssistantsService } from '../../companies/assistants/assistants.service.js';
import {
  excerpt,
  MAX_BODY_CHARACTERS,
  type NewNotification,
  NotificationsService,
} from '../../companies/notifications/notifications.service.js';
import { awaitAll, type Transaction } from '../../platform/database/transaction.js';
import { Database } from '../../platform/database/database.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { PubSub } from '../../platform/pubsub/pub-sub.js';
import {
  type AnalysisPiece,
  type AnalysisRequest,
  AnalysisRequestRepository,
  AnalysisRepository,
  type AnalysisFailure,
  type DocumentAnalysis,
} from './analysis.repository.js';
import type { AnalysisResult } from './analysis-result.js';
import { analysisTopic, type AskedAnalysis, analyzeDocument } from './analyze-document.job.js';

/** An analysis fails after this many retries while the model cannot be reached: after about a minute. */
const MAX_RETRIES = 4;
const MAX_NAME_CHARACTERS = 100;
const PAUSES = { firstMs: 5_000, maxMs: 40_000 };

/** Thrown to an attempt that was replaced by a later one, or whose document was deleted. */
export class AnalysisLost extends Error {
  override readonly name = 'AnalysisLost';

  constructor() {
    super('Somebody else works on this analysis, or it is gone.');
  }
}

export interface ClaimedAnalysis {
  analysis: DocumentAnalysis;
  /** Whose quota pays for it. */
  payer: AnalysisRequest;
  /** The pieces planned so far, of all levels. */
  pieces: AnalysisPiece[];
  /** The document's number of pages; null: it has none. */
  pages: number | null;
}

type Outcome = { result: AnalysisResult; failure: null } | { result: null; failure: AnalysisFailure };

/** Everything that an attempt at an analysis stores. Writes of an older attempt reject with AnalysisLost. */
@Injectable()
export class AnalysisWork {
  constructor(
    private readonly database: Database,
    private readonly analyses: AnalysisRepository,
    private readonly requests: AnalysisRequestRepository,
    private readonly assistants: AssistantsService,
    private readonly notifications: NotificationsService,
    private readonly jobs: JobQueue,
    private readonly pubSub: PubSub,
  ) {}

  async listUnfinished(tx: Transaction): Promise<AskedAnalysis[]> {
    const ids = await this.analyses.listUnfinished(tx);
    return ids.map((analysisId) => ({ companyId: tx.companyId, analysisId }));
  }

  /** Claims the analysis. Null: it has ended, or nobody asks for it any more. */
  claim({ companyId, analysisId }: AskedAnalysis): Promise<ClaimedAnalysis | null> {
    return this.database.transaction(companyId, async (tx) => {
      const analysis = await this.analyses.claim(tx, analysisId);
      if (!analysis) return null;
      const [payer] = await this.requests.listAsked(tx, analysisId);
      if (!payer) {
        await this.analyses.delete(tx, { id: analysisId });
        return null;
      }
      const [pieces, pages] = await awaitAll([
        this.analyses.listPieces(tx, analysisId),
        this.analyses.countPages(tx, analysis.contentId),
      ]);
      return { analysis, payer, pieces, pages };
    });
  }

  /** Plans a level; returns its pieces. */
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

  /** Stores the findings of a piece; null: the answer was unusable. `progress`: of the whole analysis, 0 to 1. */
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

  putBack(analysis: DocumentAnalysis): Promise<void> {
    return this.write(analysis, (tx) => this.enqueue(tx, analysis));
  }

  /** Releases the analysis for the job's next attempt, and stores the number of errors. */
  release(analysis: DocumentAnalysis, errors: number): Promise<void> {
    return this.write(analysis, (tx) => this.analyses.release(tx, analysis.id, errors));
  }

  /** Handles a used-up quota: the analysis continues on the next requester's account, or fails without one. */
  refuse(analysis: DocumentAnalysis, { memberId }: AnalysisRequest): Promise<void> {
    return this.write(analysis, async (tx) => {
      const requests = await this.requests.listAsked(tx, analysis.id);
      const refused = requests.filter((request) => request.memberId === memberId);
      const outcome = { result: null, failure: 'QUOTA' } as const;
      if (refused.length === requests.length) return this.store(tx, analysis, outcome);
      await this.notifyEnd(tx, outcome, refused);
      // They neither pay for the analysis nor are notified any more.
      await this.requests.update(tx, { analysisId: analysis.id, memberId }, { isRefused: true });
      await this.enqueue(tx, analysis);
    });
  }

  /** Retries later, with growing pauses, while the model is unreachable. False: there were too many failures. */
  retryLater(analysis: DocumentAnalysis): Promise<boolean> {
    return this.write(analysis, async (tx) => {
      const failures = await this.analyses.countFailure(tx, analysis.id);
      if (failures > MAX_RETRIES) return false;
      await this.enqueue(tx, analysis, Math.ceil(backoffMs(PAUSES, failures) / 1000));
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
    const requests = await this.requests.listAsked(tx, id);
    if (outcome.failure === null) await this.analyses.complete(tx, id, outcome.result);
    else await this.analyses.fail(tx, id, outcome.failure);
    // Members' rows are locked before requests, in the same order as when a member is removed.
    await this.notifyEnd(tx, outcome, requests);
    await this.requests.delete(tx, { analysisId: id });
  }

  /** Notifies each member whose turn did not wait for it once, by the latest of their `requests` that asks for it. */
  private async notifyEnd(
    tx: Transaction,
    outcome: Outcome,
    requests: readonly AnalysisRequest[],
  ): Promise<void> {
    const toTell = requests.filter(({ isToTell }) => isToTell);
    const byMember = new Map(toTell.map((request) => [request.memberId, request]));
    const told: NewNotification[] = [];
    for (const request of byMember.values()) told.push(await this.notificationOf(tx, outcome, request));
    await this.notifications.addAll(tx, told);
  }

  private async notificationOf(
    tx: Transaction,
    { result, failure }: Outcome,
    { memberId, turnId, assistant, documentName }: AnalysisRequest,
  ): Promise<NewNotification> {
    const language = (await this.assistants.findByKey(tx, assistant))?.language ?? 'en';
    const labels = wordingIn(language).analysisNotifications;
    const name = excerpt(documentName, MAX_NAME_CHARACTERS) || labels.attachment;
    return failure === null
      ? {
          memberId,
          kind: 'DOCUMENT_ANALYSED',
          title: fill(labels.analysed, { document: name }),
          body: excerpt(result?.summary ?? '', MAX_BODY_CHARACTERS),
          turnId,
        }
      : {
          memberId,
          kind: 'DOCUMENT_ANALYSIS_FAILED',
          title: fill(labels.notAnalysed, { document: name }),
          body: labels.failures[failure],
          turnId,
        };
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
