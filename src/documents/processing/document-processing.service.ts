import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';

import { Clock } from '../../common/clock.js';
import { singleLine } from '../../common/text/data-text.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { JobQueue } from '../../jobs/job-queue.js';
import type { DocumentContent } from '../document-content.entity.js';
import { DocumentRefused } from '../parsing/parsed-document.js';
import { Attempts, Superseded } from './attempts.service.js';
import { DocumentWork } from './document-work.service.js';
import { type ContentAddress, processDocument } from './process-document.job.js';

/** Documents that one process reads at the same time. */
const AT_A_TIME = 2;

/** Tries that may fail for no reason that a person could mend. */
const MOST_FAILURES = 3;

/** For what is under way to give its documents back when the server stops. */
const FAREWELL_MS = 5_000;

const MOST_CHARACTERS = 1_000;

const COULD_NOT =
  'The document could not be processed. Please upload it again, and ask your operator if that does not help.';

/** Has documents read, in processes that work, until each is COMPLETED or FAILED. */
@Injectable()
export class DocumentProcessing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly attempts: Attempts,
    private readonly work: DocumentWork,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (let index = 0; index < AT_A_TIME; index += 1) {
      await this.jobs.work(processDocument, (address, signal) => this.take(address, signal));
    }
  }

  /** While the database is there, and what reads documents. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new DomainError('UNAVAILABLE', 'The server is stopping.'));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.clock.after(FAREWELL_MS, resolve);
    await Promise.race([Promise.allSettled(this.underWay), late]);
    stopWaiting();
  }

  private async take(address: ContentAddress, signal: AbortSignal): Promise<void> {
    const processing = this.process(address, AbortSignal.any([signal, this.stopping.signal]));
    this.underWay.add(processing);
    await processing.finally(() => this.underWay.delete(processing));
  }

  private async process(address: ContentAddress, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const content = await this.attempts.begin(address);
    if (!content) return;
    try {
      if (content.failures >= MOST_FAILURES) await this.refuse(content, COULD_NOT);
      else await this.work.carryOut(content, signal);
    } catch (error) {
      await this.settle(content, error);
    }
  }

  /** Rejects when it is to be tried again. */
  private async settle(content: DocumentContent, error: unknown): Promise<void> {
    const about = { companyId: content.companyId, contentId: content.id };
    if (error instanceof Superseded) {
      this.logger.info(about, 'somebody else goes on with a document, or it was deleted');
    } else if (error instanceof DocumentRefused) {
      if (error.cause !== undefined) this.logger.warn({ ...about, err: error }, 'a document was refused');
      await this.refuse(content, error.message);
    } else if (isNobodysFault(error) || this.stopping.signal.aborted) {
      await this.release(content, content.failures);
      throw error;
    } else {
      await this.noteFailure(content, error);
    }
  }

  private async noteFailure(content: DocumentContent, error: unknown): Promise<void> {
    const failures = content.failures + 1;
    if (failures < MOST_FAILURES) {
      await this.release(content, failures);
      throw error;
    }
    const about = { companyId: content.companyId, contentId: content.id };
    this.logger.error({ ...about, err: error }, 'a document could not be processed');
    await this.refuse(content, COULD_NOT);
  }

  private async refuse(content: DocumentContent, reason: string): Promise<void> {
    const error = singleLine(reason, MOST_CHARACTERS);
    const nothing = { mediaType: null, pages: null, warnings: [] };
    await this.attempts.fail(content, { ...nothing, error }).catch((error: unknown) => {
      if (!(error instanceof Superseded)) throw error;
    });
  }

  /** Where this fails as well, the next attempt counts it as a failure. */
  private async release(content: DocumentContent, failures: number): Promise<void> {
    await this.attempts.release(content, failures).catch((error: unknown) => {
      this.logger.warn({ err: error, contentId: content.id }, 'a document could not be given back');
    });
  }
}

/** What is needed is away: that says nothing about the document. */
const isNobodysFault = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'UNAVAILABLE';
