import { cutAt, type Segment, splitCells, type Stretch } from './lines/segment.js';

/** The minimum width of a column of prose, in text sizes. */
const COLUMN_WIDTH = 12;
/** The minimum number of its lines. */
const COLUMN_LINES = 4;
/** The relative width of a full line. Most lines of prose are full. */
const FULL_LINE = 0.72;
const FULL_SHARE = 0.5;
/** The maximum share of segments beside a gutter that are level with one that crosses it. */
const MAX_LEVEL = 0.25;
/** For columns within columns. */
const MAX_DEPTH = 4;
/** The maximum number of lines below columns that do not span both, and their distance in text sizes. */
const MAX_TAIL = 4;
const TAIL_GAP = 1.6;
/** A page with more is a drawing or an attack. */
const MAX_SEGMENTS = 5000;
const MAX_GUTTERS = 40;

/**
 * Splits segments into parts that are read one after the other. On a page with columns, a segment that spans them
 * separates what is above and below. Tables stay whole.
 */
export function splitColumns(segments: readonly Segment[], depth = 0): Segment[][] {
  const found = depth < MAX_DEPTH ? findGutter(segments) : null;
  if (found === null) return [[...segments]];
  const { gutter, parted } = found;
  const parts: Segment[][] = [];
  let band: Segment[] = [];
  let spanning: Segment[] = [];
  const close = (tail: Segment[]): void => {
    if (spanning.length > 0) parts.push(spanning);
    parts.push(...splitBand(band, gutter, depth));
    band = [];
    spanning = tail;
  };
  for (const segment of parted) {
    const spans = crosses(segment, gutter);
    if (spans && band.length > 0) close(takeTail(band, gutter));
    (spans ? spanning : band).push(segment);
  }
  close([]);
  return parts;
}

/** Removes short lines below both columns, such as the title of the next section. */
function takeTail(band: Segment[], gutter: number): Segment[] {
  const last = band.at(-1);
  if (!last) return [];
  const isLeft = isLeftOf(last, gutter);
  const start = band.findLastIndex((segment) => isLeftOf(segment, gutter) !== isLeft) + 1;
  for (let index = band.length - 1; index >= Math.max(start, band.length - MAX_TAIL, 1); index -= 1) {
    const segment = band[index] as Segment;
    const before = band[index - 1] as Segment;
    if (segment.baseline - before.baseline > TAIL_GAP * segment.size) return band.splice(index);
  }
  return [];
}

function splitBand(band: readonly Segment[], gutter: number, depth: number): Segment[][] {
  const left = band.filter((segment) => isLeftOf(segment, gutter));
  const right = band.filter((segment) => !isLeftOf(segment, gutter));
  // One or two lines beside each other are not columns, for example a date and a place below a title.
  if (left.length < 2 || right.length < 2) return band.length > 0 ? [[...band]] : [];
  return [...splitColumns(left, depth + 1), ...splitColumns(right, depth + 1)];
}

function isLeftOf(segment: Stretch, x: number): boolean {
  return (segment.left + segment.right) / 2 < x;
}
/** Tolerates half a character of overhang. */
function crosses({ left, right, size }: Stretch, x: number): boolean {
  return left < x - size / 2 && right > x + size / 2;
}

interface Gutter {
  gutter: number;
  /** The segments, split where they continue behind the gutter. */
  parted: readonly Segment[];
}

/** Finds a blank strip that separates most lines, with prose on at least one side. */
function findGutter(segments: readonly Segment[]): Gutter | null {
  if (segments.length < COLUMN_LINES || segments.length > MAX_SEGMENTS) return null;
  const lines = segments.map((segment) => ({ segment, cells: splitCells(segment) }));
  let best: (Gutter & { lines: number }) | null = null;
  for (const gutter of guttersOf(lines.flatMap(({ cells }) => cells))) {
    const parted = partedAt(lines, gutter);
    const crossing = parted.filter((segment) => crosses(segment, gutter));
    const beside = parted.filter((segment) => !crosses(segment, gutter));
    const left = beside.filter((segment) => isLeftOf(segment, gutter));
    const right = beside.filter((segment) => !isLeftOf(segment, gutter));
    const fewer = Math.min(left.length, right.length);
    if (fewer < COLUMN_LINES || beside.length * 2 < parted.length || fewer <= (best?.lines ?? 0)) continue;
    // A segment that spans columns has nothing beside it.
    if (levelShare(beside, crossing) > MAX_LEVEL) continue;
    if (areColumns(left, right)) best = { gutter, parted, lines: fewer };
  }
  return best;
}

/**
 * Splits lines at a narrow strip. A gutter may be hardly wider than a word gap, but it continues from line to line: if
 * more lines have a gap at this place than a word, those with a gap are split.
 */
function partedAt(
  lines: readonly { segment: Segment; cells: readonly Segment[] }[],
  gutter: number,
): readonly Segment[] {
  const parted = lines.flatMap(({ segment, cells }) => cutAt(cells, gutter) ?? [segment]);
  const crossing = parted.filter((segment) => crosses(segment, gutter)).length;
  return parted.length - lines.length > crossing ? parted : lines.map(({ segment }) => segment);
}

/** Positions where many lines begin. A gutter ends at each. */
function guttersOf(segments: readonly Segment[]): number[] {
  const starts = new Map<number, { lines: number; x: number }>();
  for (const { left, size } of segments) {
    const key = Math.round(left / 3);
    const known = starts.get(key) ?? { lines: 0, x: left };
    starts.set(key, { lines: known.lines + 1, x: Math.min(known.x, left - size / 4) });
  }
  return [...starts.values()]
    .filter(({ lines }) => lines >= 2)
    .toSorted((one, other) => other.lines - one.lines)
    .slice(0, MAX_GUTTERS)
    .map(({ x }) => x);
}

function areColumns(left: readonly Segment[], right: readonly Segment[]): boolean {
  const isLeftProse = isProse(left);
  const isRightProse = isProse(right);
  if (isLeftProse && isRightProse) return true;
  if (!isLeftProse && !isRightProse) return false;
  // Labels that are level with their texts make a table.
  return levelShare(isLeftProse ? right : left, isLeftProse ? left : right) < 0.5;
}

function isProse(segments: readonly Segment[]): boolean {
  const widths = segments.map(({ left, right }) => right - left).toSorted((one, other) => one - other);
  const sizes = segments.map(({ size }) => size).toSorted((one, other) => one - other);
  // Not the widest, which may be a caption.
  const width = widths[Math.floor(widths.length * 0.9)] ?? 0;
  const size = sizes[Math.floor(sizes.length / 2)] ?? 1;
  const full = widths.filter((each) => each >= FULL_LINE * width).length;
  return width >= COLUMN_WIDTH * size && full >= FULL_SHARE * widths.length;
}

function levelShare(labels: readonly Segment[], texts: readonly Segment[]): number {
  const baselines = new Set(texts.map(({ baseline }) => Math.round(baseline)));
  const level = labels.filter(({ baseline }) =>
    [-1, 0, 1].some((offset) => baselines.has(Math.round(baseline) + offset)),
  );
  return level.length / labels.length;
}
