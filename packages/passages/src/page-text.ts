import type { Span } from './block-splitting.js';
import type { PageBreak } from './cut-passage.js';

const BETWEEN_PAGES = '\n\n';

/** The part of a document's text that is still needed, with its page starts. Offsets refer to the whole text. */
export class PageText {
  private kept = '';
  /** The offset at which the kept text begins. */
  private from = 0;
  /** The offset of the next line to read. */
  private next = 0;
  private pages: { start: number; number: number | null }[] = [];

  /** Adds a page. False: it is the first. */
  add(markdown: string, number: number | null): boolean {
    const isFirst = this.pages.length === 0;
    if (!isFirst) this.kept += BETWEEN_PAGES;
    this.next = this.end;
    this.pages.push({ start: this.end, number });
    // PostgreSQL stores neither NULs nor lone surrogates. Each is replaced by one code unit, which keeps offsets.
    this.kept += markdown.replaceAll('\0', '\uFFFD').toWellFormed();
    return !isFirst;
  }

  /** Whether the document has numbered pages. */
  get isPaged(): boolean {
    return this.pages.some(({ number }) => number !== null);
  }

  get end(): number {
    return this.from + this.kept.length;
  }

  /** The offset of the line that is read next. */
  get lineStart(): number {
    return this.next;
  }

  /** The kept text. It begins at `relative` offset 0. */
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

  /** Trims trailing blanks and leading blank lines, but not the first line's indentation, which has a meaning. */
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

  /** Page breaks within a span, as offsets into a text that has `before` code units in front of the span. */
  breaksIn({ start, end }: Span, before: number): PageBreak[] {
    return this.pages.flatMap((page) =>
      page.number !== null && page.start > start && page.start < end
        ? [{ offset: before + page.start - start, page: page.number }]
        : [],
    );
  }

  /** Drops the text before `start`. */
  forget(start: number): void {
    if (start <= this.from) return;
    this.kept = this.kept.slice(start - this.from);
    this.from = start;
    const first = this.pages.findLastIndex((page) => page.start <= start);
    this.pages = this.pages.slice(Math.max(0, first));
  }
}
