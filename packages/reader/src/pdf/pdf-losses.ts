import { garbledShare } from '../garbled.js';
import { DocumentRefused } from '../parsed-document.js';
import { pageList } from './pages/page-list.js';
import type { PdfPage } from './pages/pdf-pages.js';
import { remark, type Remark, type RemarkCode } from '../remarks.js';

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
  warnings(): Remark[] {
    if (this.withText === 0) throw this.withoutText();
    return [
      ...this.ofPages('PAGES_WITHOUT_TEXT', this.drawn),
      ...this.ofPages('PAGES_OF_PICTURES', this.stamped),
      ...this.ofPages('PAGES_EMPTY', this.empty),
      ...this.ofPages('PAGES_UNDECODED', this.garbled),
      ...this.ofPages('PAGES_WITH_HIDDEN_LAYERS', this.hidden),
      ...this.ofPages('PAGES_DAMAGED', this.failed),
      ...(this.endsEarly ? [remark('PAGES_MISSING', { number: this.pages })] : []),
      ...this.ofPages('PAGES_CUT', this.cut),
    ];
  }

  private ofPages(code: RemarkCode, pages: readonly number[]): Remark[] {
    if (pages.length === 0) return [];
    return [remark(code, { count: pages.length, all: this.pages, pages: pageList(pages) })];
  }

  private withoutText(): Error {
    if (this.drawn.length + this.stamped.length > 0) return new DocumentRefused(remark('SCANNED'));
    if (this.empty.length > 0) return new DocumentRefused(remark('NOTHING_ON_PAGES'));
    return new Error('No page of the PDF could be read.', { cause: this.cause });
  }
}
