import type { Layer } from './piece.js';
import { levelRuns, type Segment, textOf } from './segment.js';

/** The share of the page's height for headers and footers. */
const MARGIN = 0.12;
const MIN_PAGES = 3;
const MIN_SHARE = 0.6;
/** The minimum share of left or of right pages, for lines with a page number that only those pages have. */
const MIN_SIDE_SHARE = 0.9;
const MAX_CHARACTERS = 200;

const PAGE = String.raw`(?:page|seite|página|pagina|p\.|pág\.|strana|第)\s*`;
const TOTAL = String.raw`\s*(?:\/|of|sur|de|von|di|van|／)\s*\d{1,5}`;
/** The maximum difference between printed and real page number. Larger numbers are years, or count something else. */
const MAX_AHEAD = 30;
/** Text that is larger than the body by this factor is a heading. */
const LARGER = 1.12;
/** The tolerance for being at the edge of the text, as a share of its width. */
const EDGE = 0.1;
/** Baselines that differ by less are the same place. In points. */
const SAME_PLACE = 2;
/** `12`, `– 12 –`, `Page 12 of 48`. At most four digits: an invoice number may count up as well. */
const pageNumber = new RegExp(
  String.raw`^[\s\p{P}]*(?:${PAGE})?\d{1,4}(?:${TOTAL})?(?:\s*[頁页])?[\s\p{P}]*$`,
  'iu',
);
/** A separator between words and a page number in one cell. */
const beforeNumber = new RegExp(String.raw`\s+[|–—•·-]\s+|\s+(?=${PAGE}\d)`, 'iu');

/** `Page 12`, `12 / 48`: a page number wherever it is. */
const saysPage = new RegExp(String.raw`${PAGE}\d|\d${TOTAL}|\d\s*[頁页]`, 'iu');
/** A label that precedes a number which is not a page number. */
const label = /(?:[:#№]|\bn[°ºo]\.?|\bnr\.?)$/iu;

/** A line at the top or the bottom of a page. */
interface MarginLine {
  segments: readonly Segment[];
  /** Its words in sorted order: left and right pages mirror each other. */
  said: string;
  /** As `said`, with the page number relative to the page. It is the same on all numbered pages. */
  counted: string | null;
  /** The cell with only that number. */
  number: Segment | null;
  place: string;
  /** The document marks it as no part of its text. */
  isArtifact: boolean;
}

/** The number of pages with a line: left pages, right pages. */
type Tally = [even: number, odd: number];

/**
 * Finds lines at the top or the bottom of most pages: titles and page numbers. The whole line must recur, so that no
 * table row loses cells which other rows also have.
 */
export class RunningLines {
  private readonly pagesByKey = new Map<string, Tally>();
  private readonly linesByPlace = new Map<string, number>();
  private readonly placesByKey = new Map<string, Set<string>>();
  private readonly given = new Set<string>();
  private readonly pages: Tally = [0, 0];

  count(segments: readonly Segment[], layer: Layer): void {
    const side = layer.page % 2 === 0 ? 0 : 1;
    this.pages[side] += 1;
    const lines = marginLines(segments, layer);
    for (const { said, place } of lines) {
      this.linesByPlace.set(place, (this.linesByPlace.get(place) ?? 0) + 1);
      this.placesByKey.set(said, (this.placesByKey.get(said) ?? new Set()).add(place));
    }
    for (const key of new Set(lines.flatMap(keysOf))) {
      const tally = this.pagesByKey.get(key) ?? [0, 0];
      tally[side] += 1;
      this.pagesByKey.set(key, tally);
    }
  }

  /**
   * The page without running lines. Each is kept where it first occurs, except for page numbers. No page becomes empty.
   */
  without(segments: readonly Segment[], layer: Layer): Segment[] {
    const lines = marginLines(segments, layer).filter((line) => this.keyOf(line) !== null);
    if (lines.reduce((sum, line) => sum + line.segments.length, 0) === segments.length) return [...segments];
    const repeated = new Set(lines.flatMap((line) => this.repeatedIn(line)));
    return segments.filter((segment) => !repeated.has(segment));
  }

  /** The page without any running line; may be empty. */
  beside(segments: readonly Segment[], layer: Layer): Segment[] {
    const lines = marginLines(segments, layer).filter((line) => this.keyOf(line) !== null);
    const running = new Set(lines.flatMap((line) => line.segments));
    return segments.filter((segment) => !running.has(segment));
  }

  private repeatedIn(line: MarginLine): readonly Segment[] {
    const key = this.keyOf(line) ?? line.said;
    if (this.given.has(key)) return line.segments;
    this.given.add(key);
    return key === line.counted && line.number ? [line.number] : [];
  }

  /** The key under which the line recurs; null: not a running line. */
  private keyOf({ said, counted, isArtifact }: MarginLine): string | null {
    const pagesOf = (key: string | null): number => (key === null ? 0 : sum(this.pagesByKey.get(key)));
    if (isArtifact) return [said, counted].find((key) => pagesOf(key) > 1) ?? null;
    if (this.isOnMost(said) && !this.varies(said)) return said;
    return counted !== null && (this.isOnMost(counted) || this.isOnOneSide(counted)) ? counted : null;
  }

  private isOnMost(key: string): boolean {
    const pages = sum(this.pagesByKey.get(key));
    return pages >= MIN_PAGES && pages >= MIN_SHARE * sum(this.pages);
  }

  private isOnOneSide(key: string): boolean {
    const tally = this.pagesByKey.get(key) ?? [0, 0];
    return tally.some(
      (pages, side) => pages >= MIN_PAGES && pages >= MIN_SIDE_SHARE * (this.pages[side] ?? 0),
    );
  }

  /** Other pages have another text at the same place: it is a value, such as the result of a check. */
  private varies(said: string): boolean {
    let lines = 0;
    for (const place of this.placesByKey.get(said) ?? []) lines += this.linesByPlace.get(place) ?? 0;
    return lines > sum(this.pagesByKey.get(said));
  }
}

function sum([even, odd]: Tally = [0, 0]): number {
  return even + odd;
}

function keysOf({ said, counted }: MarginLine): string[] {
  return counted === null ? [said] : [said, counted];
}

/** The layout of a page, for recognising its number. */
interface Setting {
  page: number;
  bodySize: number;
  left: number;
  right: number;
}

function settingOf(segments: readonly Segment[], page: number): Setting {
  const weights = new Map<number, number>();
  let [left, right] = [Infinity, -Infinity];
  for (const segment of segments) {
    const size = Math.round(segment.size * 4) / 4;
    weights.set(size, (weights.get(size) ?? 0) + segment.weight);
    left = Math.min(left, segment.left);
    right = Math.max(right, segment.right);
  }
  const [bodySize] = [...weights].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0]);
  return { page, bodySize, left, right };
}

function marginLines(segments: readonly Segment[], { pageHeight, page }: Layer): MarginLine[] {
  if (pageHeight === null) return [];
  const margin = MARGIN * pageHeight;
  const top = segments.filter(({ baseline }) => baseline <= margin);
  const bottom = segments.filter(({ baseline }) => baseline >= pageHeight - margin);
  const setting = settingOf(segments, page);
  return [
    ...levelRuns(top).flatMap((line) => marginLine(line, 'top', setting)),
    ...levelRuns(bottom).flatMap((line) => marginLine(line, 'bottom', setting)),
  ];
}

function marginLine(segments: readonly Segment[], side: string, setting: Setting): MarginLine[] {
  const cells = segments.map((segment) => textOf(segment).split(beforeNumber));
  const parts = cells.flat();
  if (parts.join('').length > MAX_CHARACTERS) return [];
  const keyOf = (words: readonly string[]): string => [side, ...words.toSorted()].join('\n');
  const said = keyOf(parts);
  const place = `${side} ${Math.round((segments[0]?.baseline ?? 0) / SAME_PLACE)}`;
  const isArtifact = segments.every(({ pieces }) => pieces.every((piece) => piece.isArtifact));
  const candidates = cells.flatMap((cell, index) =>
    cell.length > 1 || mayNumber(segments, index, setting) ? cell.filter(isPageNumber) : [],
  );
  const number = closestTo(setting.page, candidates);
  if (number === undefined) return [{ segments, said, counted: null, number: null, place, isArtifact }];
  const told = number.replace(/\d+/, `#${figureOf(number) - setting.page}`);
  const counted = keyOf(parts.with(parts.indexOf(number), told));
  const alone = cells.findIndex((cell) => cell.length === 1 && cell[0] === number);
  return [{ segments, said, counted, number: segments[alone] ?? null, place, isArtifact }];
}

/** Whether a cell may be the page number: no heading, and no value beside its label. */
function mayNumber(segments: readonly Segment[], index: number, setting: Setting): boolean {
  const [cell, before, after] = [segments[index], segments[index - 1], segments[index + 1]];
  if (!cell || cell.size > LARGER * setting.bodySize) return false;
  if ((!before && !after) || saysPage.test(textOf(cell))) return true;
  if (before && label.test(textOf(before))) return false;
  const edge = EDGE * (setting.right - setting.left);
  if (!after) return cell.right >= setting.right - edge;
  return before !== undefined || cell.left <= setting.left + edge;
}

function isPageNumber(part: string): boolean {
  return pageNumber.test(part);
}

function figureOf(part: string): number {
  return Number(/\d+/.exec(part)?.[0]);
}

function closestTo(page: number, numbers: readonly string[]): string | undefined {
  const distance = (number: string): number => Math.abs(figureOf(number) - page);
  return numbers
    .filter((number) => figureOf(number) - page <= MAX_AHEAD)
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
