import { DocumentRefused } from './parsed-document.js';
import { remark } from './remarks.js';

const MAX_PAGES = 10_000;

/** Call it as soon as the number of pages is known. Throws DocumentRefused. */
export function refuseTooManyPages(pages: number): void {
  if (pages > MAX_PAGES) throw new DocumentRefused(remark('TOO_MANY_PAGES', { most: MAX_PAGES }));
}
