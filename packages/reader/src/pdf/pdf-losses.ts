import { garbledShare } from '../garbled.js';
import { DocumentRefused } from '../parsed-document.js';
import { pageList } from './pages/page-list.js';
import type { PdfPage } from './pages/pdf-pages.js';

/** The tolerated share of unreadable text on a page, such as a formula or a symbol. */
const GARBLED_SHARE = 0.1;

/** Counts what could not be read of a PDF, for the warnings. */
export class PdfLosses {
  private pages = 0;
  private withText = 0;
  private readonly drawn: number[] = [];
  private readonly stamped: number[] = [];
  private readonly empty: number[] = [];
  private readonly garbled: number[] = [];
  private readonly hidden: number[] = [];
  private readonly cut: number[] = [];
  private readonly failed: number[] = [];
  private endsEarly = false;
  /** The first error. */
  private cause: unknown;

  get failures(): number {
    return this.failed.length;
  }

  add(number: number, page: PdfPage): void {
    const { markdown, hasText, isDrawn, scan, unreadableShare, isCut } = page;
    this.pages += 1;
    if (markdown !== '' && scan !== 'running') this.withText += 1;
    if (!hasText && isDrawn) this.drawn.push(number);
    else if (scan !== null) this.stamped.push(number);
    else if (markdown === '') this.empty.push(number);
    if (page.isPartlyHidden) this.hidden.push(number);
    if (isCut) this.cut.push(number);
    if (garbledShare(markdown) + unreadableShare > GARBLED_SHARE) this.garbled.push(number);
  }

  addFailed(number: number, cause: unknown): void {
    this.pages += 1;
    this.failed.push(number);
    this.cause ??= cause;
  }

  /** There may be more pages than were found. */
  addEnd(): void {
    this.endsEarly = true;
  }

  /** Throws DocumentRefused if nothing could be read. */
  warnings(): string[] {
    if (this.withText === 0) throw this.withoutText();
    const of = (pages: readonly number[], told: (list: string) => string): string[] =>
      pages.length > 0 ? [told(pageList(pages))] : [];
    return [
      ...of(
        this.drawn,
        (list) =>
          `${this.drawn.length} of ${this.pages} pages have no text (${list.toLowerCase()}): they are probably scanned and need OCR.`,
      ),
      ...of(
        this.stamped,
        (list) =>
          `${this.stamped.length} of ${this.pages} pages are pictures with hardly any text (${list.toLowerCase()}): they are probably scanned and need OCR.`,
      ),
      ...of(
        this.empty,
        (list) =>
          `${this.empty.length} of ${this.pages} pages have nothing on them (${list.toLowerCase()}): they are empty, or damaged.`,
      ),
      ...of(
        this.garbled,
        (list) =>
          `${list}: the text could not be decoded in part, as its fonts do not say which characters they show.`,
      ),
      ...of(this.hidden, (list) => `${list}: text on layers that are switched off was left out.`),
      ...of(this.failed, (list) => `${list}: could not be read, as the file is damaged there.`),
      ...(this.endsEarly
        ? [`After page ${this.pages} more pages may be missing: the file is damaged there.`]
        : []),
      ...of(
        this.cut,
        (list) => `${list}: has more text than is read, or takes too long; the rest was left out.`,
      ),
    ];
  }
  private withoutText(): Error {
    if (this.drawn.length + this.stamped.length > 0)
      return new DocumentRefused(
        'This PDF holds pictures of pages, not text: it needs OCR (text recognition) first.',
      );
    if (this.empty.length > 0)
      return new DocumentRefused(
        'The pages of this PDF have nothing on them: they are empty, or damaged. Open it in its program, save it again and upload that.',
      );
    return new Error('No page of the PDF could be read.', { cause: this.cause });
  }
}
