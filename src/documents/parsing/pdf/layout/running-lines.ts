import type { Layer } from './piece.js';
import { levelRuns, type Segment, textOf } from './segment.js';

/** Where headers and footers stand, in shares of the page's height. */
const MARGIN = 0.12;
const MIN_PAGES = 3;
const MIN_SHARE = 0.4;
const MAX_CHARACTERS = 200;

const PAGE = String.raw`(?:page|seite|página|pagina|p\.|pág\.|strana|第)\s*`;
const TOTAL = String.raw`\s*(?:\/|of|sur|de|von|di|van|／)\s*\d{1,5}`;
/** `12`, `– 12 –`, `Page 12 of 48`. No more digits: an invoice's number may count up as well. */
const pageNumber = new RegExp(
  String.raw`^[\s\p{P}]*(?:${PAGE})?\d{1,4}(?:${TOTAL})?(?:\s*[頁页])?[\s\p{P}]*$`,
  'iu',
);
/** What stands between words and a page number in one cell. */
const beforeNumber = new RegExp(String.raw`\s+[|–—•·-]\s+|\s+(?=${PAGE}\d)`, 'iu');

/** A line at the top or the bottom of a page. */
interface MarginLine {
  segments: readonly Segment[];
  /** What it says, in any order: left pages have on the left what right pages have on the right. */
  said: string;
  /** The same on all pages that it counts: its page number is told by how far it is ahead of the page. */
  counted: string | null;
  /** The cell that holds that number and nothing else. */
  number: Segment | null;
}

/**
 * Finds out which lines stand at the top or the bottom of most pages: titles of the document and page numbers. All of a
 * line has to, so that no row of a table loses the cells that other rows have as well.
 */
export class RunningLines {
  private readonly pagesByKey = new Map<string, number>();
  private readonly given = new Set<string>();
  private pages = 0;

  /** Counts the lines of a page that may be such ones. */
  count(segments: readonly Segment[], layer: Layer): void {
    this.pages += 1;
    const keys = new Set(marginLines(segments, layer).flatMap(keysOf));
    for (const key of keys) this.pagesByKey.set(key, (this.pagesByKey.get(key) ?? 0) + 1);
  }

  /** What a page says beside them. Each is given where it first stands, but for page numbers; no page is left empty. */
  without(segments: readonly Segment[], layer: Layer): Segment[] {
    const lines = marginLines(segments, layer).filter((line) => keysOf(line).some(this.isRunning));
    if (lines.reduce((sum, line) => sum + line.segments.length, 0) === segments.length) return [...segments];
    const repeated = new Set(lines.flatMap((line) => this.repeatedIn(line)));
    return segments.filter((segment) => !repeated.has(segment));
  }

  private repeatedIn(line: MarginLine): readonly Segment[] {
    const key = keysOf(line).find(this.isRunning) ?? line.said;
    if (this.given.has(key)) return line.segments;
    this.given.add(key);
    return key === line.counted && line.number ? [line.number] : [];
  }

  private readonly isRunning = (key: string): boolean => {
    const pages = this.pagesByKey.get(key) ?? 0;
    return pages >= MIN_PAGES && pages >= MIN_SHARE * this.pages;
  };
}

const keysOf = ({ said, counted }: MarginLine): string[] => (counted === null ? [said] : [said, counted]);

const marginLines = (segments: readonly Segment[], { pageHeight, page }: Layer): MarginLine[] => {
  if (pageHeight === null) return [];
  const margin = MARGIN * pageHeight;
  const top = segments.filter(({ baseline }) => baseline <= margin);
  const bottom = segments.filter(({ baseline }) => baseline >= pageHeight - margin);
  return [
    ...levelRuns(top).flatMap((line) => marginLine(line, 'top', page)),
    ...levelRuns(bottom).flatMap((line) => marginLine(line, 'bottom', page)),
  ];
};

const marginLine = (segments: readonly Segment[], side: string, page: number): MarginLine[] => {
  const cells = segments.map((segment) => textOf(segment).split(beforeNumber));
  const parts = cells.flat();
  if (parts.join('').length > MAX_CHARACTERS) return [];
  const keyOf = (words: readonly string[]): string => [side, ...words.toSorted()].join('\n');
  const said = keyOf(parts);
  const number = closestTo(page, parts.filter(isPageNumber));
  if (number === undefined) return [{ segments, said, counted: null, number: null }];
  const told = number.replace(/\d+/, `#${figureOf(number) - page}`);
  const counted = keyOf(parts.with(parts.indexOf(number), told));
  const alone = cells.findIndex((cell) => cell.length === 1 && cell[0] === number);
  return [{ segments, said, counted, number: segments[alone] ?? null }];
};

const isPageNumber = (part: string): boolean => pageNumber.test(part);

const figureOf = (part: string): number => Number(/\d+/.exec(part)?.[0]);

const closestTo = (page: number, numbers: readonly string[]): string | undefined => {
  const distance = (number: string): number => Math.abs(figureOf(number) - page);
  return numbers.toSorted((one, other) => distance(one) - distance(other))[0];
};
