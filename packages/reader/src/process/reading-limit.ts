import { DocumentRefused, type ParsedPage, type ParsedSummary } from '../parsed-document.js';
import { remark } from '../remarks.js';

const MAX_PAGES = 10_000;
const MAX_CHARACTERS = 20_000_000;

/** The maximum number of reasons for there being no text. */
const MAX_REASONS = 3;

/** Characters that databases refuse as text, and control characters without meaning in Markdown. */
const UNFIT = /[\0-\x08\x0e-\x1f\x7f]/g;

/** These separate words. */
const UNFIT_BLANK = /[\v\f]/g;

/** Call it as soon as the number of pages is known. Throws DocumentRefused. */
export function refuseTooManyPages(pages: number): void {
  if (pages > MAX_PAGES) throw new DocumentRefused(remark('TOO_MANY_PAGES', { most: MAX_PAGES }));
}

/** Checks that a document has content and does not exceed the limits of text and pages. */
export class ReadingLimit {
  private characters = 0;
  private hasText = false;

  /** Counts the page and cleans its text. Throws DocumentRefused. */
  take({ number, markdown }: ParsedPage): ParsedPage {
    this.characters += markdown.length;
    if (this.characters > MAX_CHARACTERS)
      throw new DocumentRefused(remark('TOO_MANY_CHARACTERS', { most: MAX_CHARACTERS }));
    refuseTooManyPages(number ?? 0);
    this.hasText ||= /[^\s\0]/.test(markdown);
    return { number, markdown: markdown.toWellFormed().replaceAll(UNFIT, '').replaceAll(UNFIT_BLANK, ' ') };
  }

  /** Throws DocumentRefused. */
  end(summary: ParsedSummary): ParsedSummary {
    if (!this.hasText)
      throw new DocumentRefused([remark('NO_TEXT'), ...summary.warnings.slice(0, MAX_REASONS)]);
    return summary;
  }
}
