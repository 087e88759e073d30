import { DocumentRefused } from './parsed-document.js';

const MAX_PAGES = 10_000;

/** Call it as soon as the number of pages is known. Throws DocumentRefused. */
export function refuseTooManyPages(pages: number): void {
  if (pages > MAX_PAGES)
    throw new DocumentRefused(
      `The document has more than ${MAX_PAGES.toLocaleString('en')} pages. Split it into smaller files and upload those.`,
    );
}
