import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { OwedWork } from '../../companies/owed-work.service.js';
import { AnalysisLost, AnalysisWork } from '../../documents/analysis/analysis-work.service.js';
import { type AskedAnalysis, analyzeDocument } from '../../documents/analysis/analyze-document.job.js';
import type { DocumentAnalysis } from '../../documents/analysis/analysis.repository.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { DocumentAnalyst } from './document-analyst.service.js';

/** Tries that may fail for no reason that a person could mend: each may have called a model. */
const MAX_ERRORS = 3;

/** For what is under way to give its analyses back when the server stops. */
const FAREWELL_MS = 5_000;

/** Has analyses gone on with, in processes that work, until each has ended. */
@Injectable()
export class AnalysisAttempts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly work: AnalysisWork,
    private readonly analyst: DocumentAnalyst,
    private readonly clock: Clock,
    owed: OwedWork,
  ) {
    owed.register(analyzeDocument, (tx) => this.work.listUnfinished(tx));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(analyzeDocument, (asked, signal) => this.take(asked, signal));
  }

  /** While the database is there, and the models. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new DomainError('UNAVAILABLE', 'The server is stopping.'));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.clock.after(FAREWELL_MS, resolve);
    await Promise.race([Promise.allSettled(this.underWay), late]);
    stopWaiting();
  }

  private async take(asked: AskedAnalysis, signal: AbortSignal): Promise<void> {
    const attempt = this.attempt(asked, AbortSignal.any([signal, this.stopping.signal]));
    this.underWay.add(attempt);
    await attempt.finally(() => this.underWay.delete(attempt));
  }

  private async attempt(asked: AskedAnalysis, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const claimed = await this.work.claim(asked);
    if (!claimed) return;
    try {
      if (claimed.analysis.errors >= MAX_ERRORS) await this.work.fail(claimed.analysis, 'INTERNAL');
      else await this.analyst.goOn(claimed, signal);
    } catch (error) {
      if (error instanceof AnalysisLost) return;
      await this.countError(claimed.analysis);
      // For the log, and to be tried again.
      throw error;
    }
  }

  /** Where this fails as well, the next attempt counts it as an error. */
  private async countError(analysis: DocumentAnalysis): Promise<void> {
    const errors = analysis.errors + (this.stopping.signal.aborted ? 0 : 1);
    const settled =
      errors < MAX_ERRORS ? this.work.release(analysis, errors) : this.work.fail(analysis, 'INTERNAL');
    await settled.catch(() => undefined);
  }
}
