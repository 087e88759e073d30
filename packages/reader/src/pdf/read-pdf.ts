import type { PDFDocumentProxy } from 'pdfjs-dist';

import type { ReadFile, ReadSummary } from '../page-reader.js';
import type { ParsedPage } from '../parsed-document.js';
import { openPdf } from './open-pdf.js';
import { PdfLosses } from './pdf-losses.js';
import { PdfPages } from './pages/pdf-pages.js';
import { refuseTooManyPages } from '../process/reading-limit.js';
import { remark, type Remark } from '../remarks.js';

/** Reading stops after this many unreadable pages: a damaged file may claim any number of them. */
const MAX_FAILED_PAGES = 500;

/** The most files inside that are named. */
const MAX_NAMES = 5;

/** Reads a PDF page by page: text, headings, lists, tables and form values. */
export async function* readPdf(file: ReadFile): AsyncGenerator<ParsedPage, ReadSummary> {
  const { document, missing, endsEarly, close } = await openPdf(file.bytes);
  try {
    refuseTooManyPages(document.numPages);
    const pages = new PdfPages(document);
    const losses = new PdfLosses();
    const files: string[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      let markdown = '';
      try {
        if (missing.has(number)) throw new Error('A page is not in the file.');
        const page = await pages.read(number);
        losses.add(number, page);
        files.push(...page.files);
        markdown = page.markdown;
      } catch (error) {
        losses.addFailed(number, error);
      }
      yield { number, markdown };
      if (losses.failures >= MAX_FAILED_PAGES) break;
    }
    if (endsEarly) losses.addEnd();
    const warnings = [...losses.warnings(), ...(await unreadParts(document, files))];
    return { pages: document.numPages, warnings };
  } finally {
    await close();
  }
}

/** Warnings about other content of the file. */
async function unreadParts(document: PDFDocumentProxy, pinned: readonly string[]): Promise<Remark[]> {
  const warnings: Remark[] = [];
  const attachments = await document.getAttachments().catch(() => null);
  const attached = [...(attachments?.values() ?? [])].map(({ filename }) => filename);
  const names = [...new Set([...attached, ...pinned])];
  if (names.length > 0) {
    const told = [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ');
    warnings.push(remark('FILES_WITHIN', { count: names.length, names: told }));
  }
  const metadata = await document.getMetadata().catch(() => null);
  if (metadata && 'IsXFAPresent' in metadata.info && metadata.info.IsXFAPresent === true)
    warnings.push(remark('DYNAMIC_FORM'));
  return warnings;
}
