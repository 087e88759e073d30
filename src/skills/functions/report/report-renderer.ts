import { Worker } from 'node:worker_threads';

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Semaphore } from '../../../common/semaphore.js';
import { SkillError } from '../../skill.js';
import { cleanTexts } from './clean-text.js';
import type { ReportNews, ReportOrder } from './report-worker.js';
import type { RenderedReport, Report, ReportFormat } from './report.js';

/** Reports are rare and heavy: one at a time leaves a machine of few cores something to do besides. */
const MAX_WORKERS = 1;
const MAX_WAIT_MS = 20_000;
const REPORT_LIMIT_MS = 30_000;
const MAX_HEAP_MB = 256;

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './report-worker.ts' : './report-worker.js',
  import.meta.url,
);

/** Thrown when a report takes too long or too much memory to be set. */
export class UnrenderedReport extends SkillError {}

export interface RenderOptions {
  formats: readonly ReportFormat[];
  signal: AbortSignal;
  /** Called as each format is begun with. */
  onBegin?: (format: ReportFormat) => void;
  limitMs?: number;
}

/** Makes files of reports in a thread of their own, which ends with each report and takes its memory along. */
@Injectable()
export class ReportRenderer implements OnApplicationShutdown {
  private readonly closing = new AbortController();
  private readonly places = new Semaphore(
    MAX_WORKERS,
    MAX_WAIT_MS,
    () => new UnrenderedReport('Too many reports are being written. Try again in a minute.'),
  );

  /** Files in the order of `formats`. Rejects with UnrenderedReport, or with the signal's reason. */
  render(report: Report, { formats, signal, onBegin, limitMs }: RenderOptions): Promise<RenderedReport[]> {
    return this.places.run(async () => {
      signal.throwIfAborted();
      const limit = AbortSignal.any([
        signal,
        this.closing.signal,
        AbortSignal.timeout(limitMs ?? REPORT_LIMIT_MS),
      ]);
      const order: ReportOrder = { report: cleanTexts(report), formats };
      const worker = new Worker(workerFile, {
        workerData: order,
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
      });
      try {
        return await filesOf(worker, limit, onBegin);
      } catch (error) {
        signal.throwIfAborted();
        throw new UnrenderedReport('The report could not be written: it takes too long or too much memory.', {
          cause: error,
        });
      } finally {
        await worker.terminate();
      }
    });
  }

  onApplicationShutdown(): void {
    this.closing.abort();
  }
}

const filesOf = (
  worker: Worker,
  signal: AbortSignal,
  onBegin?: (format: ReportFormat) => void,
): Promise<RenderedReport[]> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    worker.on('message', (news: ReportNews) => {
      if (news.type === 'began') onBegin?.(news.format);
      else resolve([...news.files]);
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      reject(new Error(`The thread ended with ${code} before the report was done.`)),
    );
  });
