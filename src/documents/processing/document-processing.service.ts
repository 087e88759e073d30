import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DocumentRefused } from '@palabre/reader';

import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { LOGGER, type Logger } from '../../common/process/logger.js';
import { OwedWork } from '../../companies/owed-work.service.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { FileNotFound } from '../../platform/storage/file-storage.js';
import type { DocumentContent } from '../document-content.repository.js';
import type { DocumentRemark } from '../document-remark.js';
import { PassageExtraction } from './passage-extraction.service.js';
import { type ContentAddress, processDocument } from './process-document.job.js';
import { ProcessingAttempts, Superseded } from './processing-attempts.service.js';

/** The most attempts that fail for internal reasons. */
const MAX_FAILURES = 3;

/** How long shutdown waits for running attempts to release their documents. */
const SHUTDOWN_GRACE_MS = 5_000;

const PROCESSING_FAILED: DocumentRemark = { code: 'PROCESSING_FAILED', values: {} };
const BYTES_LOST: DocumentRemark = { code: 'BYTES_LOST', values: {} };

/** Processes documents as jobs until each is COMPLETED or FAILED. */
@Injectable()
export class DocumentProcessing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly jobs: JobQueue,
    private readonly attempts: ProcessingAttempts,
    private readonly extraction: PassageExtraction,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    owed: OwedWork,
  ) {
    owed.register(processDocument, (tx) => this.attempts.listUnfinished(tx));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.work(processDocument, (address, signal) => this.take(address, signal));
  }

  /** Before shutdown hooks close the database and the parser. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new DomainError('UNAVAILABLE', 'The server is stopping.'));
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const stopWaiting = this.clock.after(SHUTDOWN_GRACE_MS, resolve);
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
      if (content.failures >= MAX_FAILURES) await this.refuse(content, [PROCESSING_FAILED]);
      else await this.extraction.extract(content, signal);
    } catch (error) {
      await this.handleError(content, error);
    }
  }

  /** Handles an attempt's error; rejects when the job is to be tried again. */
  private async handleError(content: DocumentContent, error: unknown): Promise<void> {
    const about = { companyId: content.companyId, contentId: content.id };
    if (error instanceof Superseded) {
      this.logger.info(about, 'a document has a later attempt, or was deleted');
    } else if (error instanceof DocumentRefused) {
      if (error.cause !== undefined) this.logger.warn({ ...about, err: error }, 'a document was refused');
      await this.refuse(content, error.remarks);
    } else if (error instanceof FileNotFound) {
      this.logger.warn({ ...about, err: error }, 'the bytes of a document are lost');
      await this.refuse(content, [BYTES_LOST]);
    } else if (isUnavailable(error) || this.stopping.signal.aborted) {
      await this.release(content, content.failures);
      throw error;
    } else {
      await this.noteFailure(content, error);
    }
  }

  private async noteFailure(content: DocumentContent, error: unknown): Promise<void> {
    const failures = content.failures + 1;
    if (failures < MAX_FAILURES) {
      await this.release(content, failures);
      throw error;
    }
    const about = { companyId: content.companyId, contentId: content.id };
    this.logger.error({ ...about, err: error }, 'a document could not be processed');
    await this.refuse(content, [PROCESSING_FAILED]);
  }

  private async refuse(content: DocumentContent, error: readonly DocumentRemark[]): Promise<void> {
    const nothing = { mediaType: null, pages: null, warnings: [] };
    await this.attempts.fail(content, { ...nothing, error }).catch((error: unknown) => {
      if (!(error instanceof Superseded)) throw error;
    });
  }

  /** If releasing fails, the next attempt counts this one as a failure. */
  private async release(content: DocumentContent, failures: number): Promise<void> {
    await this.attempts.release(content, failures).catch((error: unknown) => {
      this.logger.warn({ err: error, contentId: content.id }, 'a document could not be released');
    });
  }
}

/** Something that processing needs is unavailable, which says nothing about the document. */
function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'UNAVAILABLE';
}
