import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

import { rejectOnAbort, Semaphore } from '@palabre/async';

import { Fault } from '../result-wording.js';
import { cleanTexts } from './clean-text.js';
import type { ReportNews, ReportOrder } from './report-worker.js';
import type { RenderedReport, Report, ReportFormat } from './report.js';

/** Reports are rare and heavy: one is rendered at a time, so that a machine with few cores can do other work. */
const MAX_WAITING = 4;
const REPORT_LIMIT_MS = 30_000;
const MAX_HEAP_MB = 256;

const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './report-worker.ts' : './report-worker.js',
  import.meta.url,
);

export interface RenderOptions {
  formats: readonly ReportFormat[];
  signal: AbortSignal;
  onBegin?: (format: ReportFormat) => void;
  limitMs?: number;
}

/** Renders reports in a thread of their own, which ends with each report to free its memory. */
export class ReportRenderer {
  private readonly place = new Semaphore(1, MAX_WAITING * REPORT_LIMIT_MS, tooManyReports);

  /** Files in the order of `formats`. Rejects with Fault, or with the signal's reason. */
  async render(report: Report, options: RenderOptions): Promise<RenderedReport[]> {
    if (this.place.waitingCount >= MAX_WAITING) throw tooManyReports();
    return rejectOnAbort(() => this.place.run(() => renderInThread(report, options)), options.signal);
  }
}

function tooManyReports(): Fault {
  return new Fault('tooManyReports');
}

async function renderInThread(
  report: Report,
  { formats, signal, onBegin, limitMs = REPORT_LIMIT_MS }: RenderOptions,
): Promise<RenderedReport[]> {
  signal.throwIfAborted();
  const order: ReportOrder = { report: cleanTexts(report), formats };
  const worker = new Worker(workerFile, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Without a listener, a later error would end the process.
  worker.on('error', () => undefined);
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    for await (const [news] of on(worker, 'message', { signal: limit, close: ['exit'] })) {
      const told = news as ReportNews;
      if (told.type === 'finished') return [...told.files];
      onBegin?.(told.format);
    }
    throw new Error('The thread ended before the report was done.');
  } catch (error) {
    signal.throwIfAborted();
    throw new Fault('unrendered', {}, { cause: error });
  } finally {
    await worker.terminate();
  }
}
