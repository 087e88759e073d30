import { refuseTooManyPages } from '../page-limit.js';
import { DocumentRefused, type ParsedPage, type ParsedSummary } from '../parsed-document.js';

const MAX_CHARACTERS = 20_000_000;

/** Of what is in a file instead of text, as much as one reads. */
const MAX_REASONS = 3;

/** What no database takes as text, and characters of control that mean nothing in Markdown. */
const UNFIT = /[\0-\x08\x0e-\x1f\x7f]/g;

/** Between words these are what parts them. */
const UNFIT_BLANK = /[\v\f]/g;

/** Holds a document to what can be made of one: so much text, so many pages, and at least something. */
export class ReadingLimit {
  private characters = 0;
  private hasText = false;

  /** The page, fit to be stored. Throws DocumentRefused. */
  take({ number, markdown }: ParsedPage): ParsedPage {
    this.characters += markdown.length;
    if (this.characters > MAX_CHARACTERS)
      throw new DocumentRefused(
        `The document has more than ${MAX_CHARACTERS.toLocaleString('en')} characters of text. Split it into smaller files and upload those.`,
      );
    refuseTooManyPages(number ?? 0);
    this.hasText ||= /[^\s\0]/.test(markdown);
    return { number, markdown: markdown.toWellFormed().replaceAll(UNFIT, '').replaceAll(UNFIT_BLANK, ' ') };
  }

  /** Throws DocumentRefused. */
  end(summary: ParsedSummary): ParsedSummary {
    const warnings = summary.warnings.map((warning) => warning.toWellFormed());
    if (!this.hasText)
      throw new DocumentRefused(
        ['There is no text in the file.', ...warnings.slice(0, MAX_REASONS)].join(' '),
      );
    return { ...summary, warnings };
  }
}
