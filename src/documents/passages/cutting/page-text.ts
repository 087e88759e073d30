import type { PageBreak } from '../passage.entity.js';
import type { Span } from './spans.js';

const BETWEEN_PAGES = '\n\n';

/** A document's whole text, as far as it is needed still, with where its pages begin. Offsets are of the whole. */
export class PageText {
  private kept = '';
  /** Where what is kept begins. */
  private from = 0;
  /** Where the next line to be read begins. */
  private next = 0;
  private pages: { start: number; number: number | null }[] = [];

  /** Adds a page. False: it is the first. */
  add(markdown: string, number: number | null): boolean {
    const isFirst = this.pages.length === 0;
    if (!isFirst) this.kept += BETWEEN_PAGES;
    this.next = this.end;
    this.pages.push({ start: this.end, number });
    // Neither can be stored. Each becomes one unit again.
    this.kept += markdown.replaceAll('\0', '\uFFFD').toWellFormed();
    return !isFirst;
  }

  /** Whether it has pages at all. */
  get isPaged(): boolean {
    return this.pages.some(({ number }) => number !== null);
  }

  get end(): number {
    return this.from + this.kept.length;
  }

  /** Where the line that is read next begins. */
  get lineStart(): number {
    return this.next;
  }

  /** What is kept of the text: it begins at `relative` 0. */
  get whole(): string {
    return this.kept;
  }

  /** The lines of the page that was added last. */
  *lines(): Generator<{ line: string; start: number }> {
    const { end } = this;
    while (this.next < end) {
      const start = this.next;
      const found = this.kept.indexOf('\n', start - this.from);
      const stop = found < 0 ? end : found + this.from;
      this.next = stop + 1;
      yield { line: this.slice({ start, end: stop }), start };
    }
  }

  slice({ start, end }: Span): string {
    return this.kept.slice(start - this.from, end - this.from);
  }

  /** Without the blanks at its end and the blank lines at its beginning: what its first line is indented by tells. */
  trimmed({ start, end }: Span): Span {
    const slice = this.slice({ start, end });
    const before = /^(?:[^\S\n]*\n)*/.exec(slice)?.[0].length ?? 0;
    return { start: start + before, end: start + Math.max(before, slice.trimEnd().length) };
  }

  relative({ start, end }: Span): Span {
    return { start: start - this.from, end: end - this.from };
  }

  absolute({ start, end }: Span): Span {
    return { start: start + this.from, end: end + this.from };
  }

  pageAt(offset: number): number | null {
    return this.pages.findLast(({ start }) => start <= offset)?.number ?? null;
  }

  /** The pages that begin within a span, and where in the text that has it behind `before` units. */
  breaksIn({ start, end }: Span, before: number): PageBreak[] {
    return this.pages.flatMap((page) =>
      page.number !== null && page.start > start && page.start < end
        ? [{ offset: before + page.start - start, page: page.number }]
        : [],
    );
  }

  /** Keeps what is at `start` and after it. */
  forget(start: number): void {
    if (start <= this.from) return;
    this.kept = this.kept.slice(start - this.from);
    this.from = start;
    const first = this.pages.findLastIndex((page) => page.start <= start);
    this.pages = this.pages.slice(Math.max(0, first));
  }
}
