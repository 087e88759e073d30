/**
 * Runs in its own thread, because a long report takes seconds and the server must answer others. Registers the loader
 * first, so that imports work from the sources too.
 */
import nodeModule from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

import type { RenderedReport, Report, ReportFormat } from './report.js';

export interface ReportOrder {
  report: Report;
  formats: readonly ReportFormat[];
}

/** Messages of the thread: the begun format, then the files. */
export type ReportNews =
  { type: 'began'; format: ReportFormat } | { type: 'finished'; files: readonly RenderedReport[] };

if (import.meta.url.endsWith('.ts')) {
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts') === true;
      return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
    },
  });
}

function tell(news: ReportNews, transfer: ArrayBuffer[] = []): void {
  return parentPort?.postMessage(news, transfer);
}

const { report, formats } = workerData as ReportOrder;
const files: RenderedReport[] = [];
for (const format of formats) {
  tell({ type: 'began', format });
  if (format === 'docx') {
    const { renderWord } = await import('./word.js');
    files.push(await renderWord(report));
  } else {
    const { renderPdf } = await import('./pdf.js');
    files.push(await renderPdf(report));
  }
}
tell(
  { type: 'finished', files },
  files.map(({ content }) => content.buffer),
);
