import { Worker } from 'node:worker_threads';

import { SkillError } from '@palabre/plugin';

import { cleanTexts } from './clean-text.js';
import type { ReportNews, ReportOrder } from './report-worker.js';
import type { RenderedReport, Report, ReportFormat } from './report.js';

/** Reports are rare and heavy: one at a time leaves a machine of few cores something to do besides. */
const MAX_WAITING = 5;
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
export class ReportRenderer {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Files in the order of `formats`. Rejects with UnrenderedReport, or with the signal's reason. */
  async render(report: Report, options: RenderOptions): Promise<RenderedReport[]> {
    if (this.waiting >= MAX_WAITING)
      throw new UnrenderedReport('Too many reports are being written. Try again in a minute.');
    this.waiting += 1;
    const rendering = this.last
      .then(() => renderInThread(report, options))
      .finally(() => void (this.waiting -= 1));
    this.last = rendering.catch(() => undefined);
    return Promise.race([rendering, abortOf(options.signal)]);
  }
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
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    return await Promise.race([filesOf(worker, onBegin), abortOf(limit)]);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnrenderedReport('The report could not be written: it takes too long or too much memory.', {
      cause: error,
    });
  } finally {
    await worker.terminate();
  }
}

/** Rejects with the signal's reason, and never resolves. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function filesOf(worker: Worker, onBegin?: (format: ReportFormat) => void): Promise<RenderedReport[]> {
  return new Promise((resolve, reject) => {
    worker.on('message', (news: ReportNews) => {
      if (news.type === 'began') onBegin?.(news.format);
      else resolve([...news.files]);
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      reject(new Error(`The thread ended with ${code} before the report was done.`)),
    );
  });
}
