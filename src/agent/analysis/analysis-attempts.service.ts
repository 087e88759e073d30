import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { OwedWork } from '../../companies/owed-work.service.js';
import { AnalysisLost, AnalysisWork } from '../../documents/analysis/analysis-work.service.js';
import { type AskedAnalysis, analyzeDocument } from '../../documents/analysis/analyze-document.job.js';
import type { DocumentAnalysis } from '../../documents/analysis/analysis.repository.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { DocumentAnalyst } from './document-analyst.service.js';

/** The most attempts that fail for reasons outside anybody's control. Each may have called a model. */
const MAX_ERRORS = 3;

/** The time for running attempts to release their analyses when the server stops. */
const FAREWELL_MS = 5_000;

/** Continues analyses until each has ended, in processes that run jobs. */
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

  /** Waits for running attempts while the database and the models are still there. */
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
      // Thrown for the log and another attempt.
      throw error;
    }
  }

  /** If this fails too, the next attempt counts the error. */
  private async countError(analysis: DocumentAnalysis): Promise<void> {
    const errors = analysis.errors + (this.stopping.signal.aborted ? 0 : 1);
    const settled =
      errors < MAX_ERRORS ? this.work.release(analysis, errors) : this.work.fail(analysis, 'INTERNAL');
    await settled.catch(() => undefined);
  }
}
