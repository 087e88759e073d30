import type { Layer } from './piece.js';
import { type Segment, textOf } from './segment.js';

/** Where headers and footers stand, in shares of the page's height. */
const MARGIN = 0.12;
/** Nothing else stands here: what differs by a figure only is the same line. */
const EDGE = 0.075;
const MIN_PAGES = 3;
const MIN_SHARE = 0.4;
const MAX_CHARACTERS = 200;

const pageNumber =
  /^[\s\p{P}]*(?:(?:page|seite|página|pagina|p\.|pág\.|strana|第)\s*)?\d{1,5}(?:\s*(?:\/|of|sur|de|von|di|van|／)\s*\d{1,5})?(?:\s*[頁页])?[\s\p{P}]*$/iu;

/** Finds out which lines stand at the top or the bottom of most pages: titles of the document and page numbers. */
export class RunningLines {
  private readonly pagesByKey = new Map<string, number>();
  private readonly given = new Set<string>();
  private pages = 0;

  /** Counts the lines of a page that may be such ones. */
  count(segments: readonly Segment[], layer: Layer): void {
    this.pages += 1;
    const keys = new Set(segments.map((segment) => keyOf(segment, layer)));
    for (const key of keys) if (key !== null) this.pagesByKey.set(key, (this.pagesByKey.get(key) ?? 0) + 1);
  }

  /** What a page says beside them. Each is given where it first stands, but for page numbers; no page is left empty. */
  without(segments: readonly Segment[], layer: Layer): Segment[] {
    const rest = segments.filter((segment) => !this.isRunning(segment, layer));
    if (rest.length === 0) return [...segments];
    return segments.filter((segment) => {
      const key = keyOf(segment, layer);
      if (key === null || !this.isRunning(segment, layer)) return true;
      const isNew = !this.given.has(key) && !pageNumber.test(textOf(segment));
      this.given.add(key);
      return isNew;
    });
  }

  private isRunning(segment: Segment, layer: Layer): boolean {
    const pages = this.pagesByKey.get(keyOf(segment, layer) ?? '') ?? 0;
    return pages >= MIN_PAGES && pages >= MIN_SHARE * this.pages;
  }
}

/** What is the same of a line on all pages; null: it stands amid the page. */
const keyOf = (segment: Segment, { pageHeight }: Layer): string | null => {
  if (pageHeight === null) return null;
  const fromTop = segment.baseline / pageHeight;
  const distance = Math.min(fromTop, 1 - fromTop);
  if (distance > MARGIN) return null;
  const text = textOf(segment);
  if (text.length > MAX_CHARACTERS) return null;
  const side = fromTop < 0.5 ? 'top' : 'bottom';
  if (pageNumber.test(text)) return `${side} #`;
  return `${side} ${distance <= EDGE ? text.replaceAll(/\d+/g, '#') : text}`;
};
