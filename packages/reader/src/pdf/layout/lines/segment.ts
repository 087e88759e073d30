import { isRightToLeft, withoutSpread } from './join-text.js';
import { joinPieces } from './piece-text.js';
import type { Piece } from './piece.js';
import { fromRightToLeft, withBracketsTurned } from './right-to-left.js';

/** The position of some text. In points; baselines increase downwards. */
export interface Stretch {
  left: number;
  right: number;
  baseline: number;
  size: number;
}

/** Text on one line without a gap wider than between words: a cell, or a line of a column. */
export interface Segment extends Stretch {
  pieces: Piece[];
  /** The number of its characters in its main size. */
  weight: number;
}

/** Wider than a blank, even in justified text. In text sizes. */
const CELL_GAP = 1.2;
const TIGHT_CELL_GAP = 0.5;
/** Overlap by kerning. */
const OVERLAP = 0.5;
/** The relative size of footnote numbers, exponents and indices. */
const SMALL = 0.85;
const RAISED = 0.6;
const LEVEL = 0.25;
/** The limit for programs that hardly reduce them. These directly follow their base text. */
const HARDLY_SMALLER = 0.92;
const ATTACHED = 0.15;
const MAX_ATTACHED_CHARACTERS = 4;

function isLevel(segment: Stretch, piece: Stretch): boolean {
  const offset = Math.abs(piece.baseline - segment.baseline);
  const [small, large] = [Math.min(piece.size, segment.size), Math.max(piece.size, segment.size)];
  return offset <= (small < large * SMALL ? RAISED : LEVEL) * large;
}

function goesOn(segment: Stretch, piece: Stretch, gap = piece.left - segment.right): boolean {
  const size = Math.max(segment.size, piece.size);
  return gap <= CELL_GAP * size && gap >= -OVERLAP * size && isLevel(segment, piece);
}

/** Whether it is a raised or lowered sign directly after its base text. */
function isAttached(segment: Segment, piece: Piece): boolean {
  return (
    piece.text.length <= MAX_ATTACHED_CHARACTERS &&
    piece.size <= HARDLY_SMALLER * segment.size &&
    Math.abs(piece.left - segment.right) <= ATTACHED * segment.size &&
    Math.abs(piece.baseline - segment.baseline) <= RAISED * segment.size
  );
}

function segmentOf(piece: Piece): Segment {
  return {
    pieces: [piece],
    left: piece.left,
    right: piece.right,
    baseline: piece.baseline,
    size: piece.size,
    weight: piece.text.length,
  };
}

function add(segment: Segment, piece: Piece): void {
  if (piece.size === segment.size) segment.weight += piece.text.length;
  else if (piece.size > segment.size * SMALL && piece.text.length > segment.weight) {
    segment.size = piece.size;
    segment.baseline = piece.baseline;
    segment.weight = piece.text.length;
  }
  segment.pieces.push(piece);
  segment.left = Math.min(segment.left, piece.left);
  segment.right = Math.max(segment.right, piece.right);
}

/** Joins pieces that continue each other in drawing order, which is mostly the reading order. */
export function toSegments(pieces: readonly Piece[]): Segment[] {
  const segments: Segment[] = [];
  let last: Segment | null = null;
  for (const piece of withoutShadows(pieces)) {
    const isMore =
      last !== null &&
      (goesOn(last, piece) ||
        isAttached(last, piece) ||
        // Right-to-left text is drawn in both orders.
        (isRightToLeft(piece.text) && goesOn(last, piece, last.left - piece.right)));
    if (last && isMore) add(last, piece);
    else segments.push((last = segmentOf(piece)));
  }
  return mergeNeighbours(segments);
}

/** Text that is drawn twice at nearly the same place is a shadow or imitates bold. */
function withoutShadows(pieces: readonly Piece[]): Piece[] {
  const drawn = new Map<string, Piece>();
  return pieces.filter((piece) => {
    const key = `${Math.round(piece.baseline / 4)} ${piece.text}`;
    const twin = drawn.get(key);
    drawn.set(key, piece);
    const near = 0.2 * piece.size;
    return (
      !twin || Math.abs(twin.left - piece.left) > near || Math.abs(twin.baseline - piece.baseline) > near
    );
  });
}

/** Joins segments that were not drawn in order. */
function mergeNeighbours(segments: readonly Segment[]): Segment[] {
  const merged: Segment[] = [];
  const sorted = segments.toSorted((one, other) => one.baseline - other.baseline || one.left - other.left);
  for (const line of levelRuns(sorted)) {
    let last: Segment | null = null;
    for (const segment of line.toSorted((one, other) => one.left - other.left)) {
      if (last && goesOn(last, segment)) for (const piece of segment.pieces) add(last, piece);
      else merged.push((last = segment));
    }
  }
  return merged.toSorted((one, other) => one.baseline - other.baseline || one.left - other.left);
}

/** Groups consecutive segments that are level with the first of them. */
export function levelRuns(sorted: readonly Segment[]): Segment[][] {
  const runs: Segment[][] = [];
  let reference: Segment | null = null;
  for (const segment of sorted) {
    const offset = reference ? segment.baseline - reference.baseline : Infinity;
    const run = runs.at(-1);
    const [small, large] = [
      Math.min(segment.size, reference?.size ?? 0),
      Math.max(segment.size, reference?.size ?? 0),
    ];
    if (run && offset <= (small < large * SMALL ? RAISED * small : LEVEL * large)) {
      run.push(segment);
      if (reference && segment.size > reference.size) reference = segment;
    } else {
      runs.push([segment]);
      reference = segment;
    }
  }
  return runs;
}

/** Splits a segment into cells: in tight tables they are hardly further apart than words. */
export function splitCells(segment: Segment): Segment[] {
  const cells: Segment[] = [];
  for (const piece of segment.pieces.toSorted((one, other) => one.left - other.left)) {
    const last = cells.at(-1);
    if (last && piece.left - last.right <= TIGHT_CELL_GAP * Math.max(last.size, piece.size)) add(last, piece);
    else cells.push(segmentOf(piece));
  }
  return cells;
}

/** The cells of a segment left and right of a place between them; null: no gap is there. */
export function cutAt(cells: readonly Segment[], x: number): [Segment, Segment] | null {
  const at = cells.findIndex(({ left }) => left > x);
  const before = cells.slice(0, at);
  if (at < 1 || before.some(({ right }) => right > x)) return null;
  return [joined(before), joined(cells.slice(at))];
}

function joined([first, ...others]: readonly Segment[]): Segment {
  const segment = { ...(first as Segment), pieces: [...(first?.pieces ?? [])] };
  for (const { pieces } of others) for (const piece of pieces) add(segment, piece);
  return segment;
}

/** The text, with single blanks between words. */
export function textOf({ pieces }: Pick<Segment, 'pieces'>): string {
  const isReversed = isRightToLeft(pieces.map(({ text }) => text).join(' '));
  const ordered = isReversed
    ? fromRightToLeft(pieces)
    : pieces.toSorted((one, other) => one.left - other.left);
  const line = withoutSpread(joinPieces(ordered, isReversed).replaceAll(/\s+/g, ' ').trim());
  return isReversed ? withBracketsTurned(line) : line;
}
