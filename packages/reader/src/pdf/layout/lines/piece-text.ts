import { atHeight, type TextHeight } from '../../../office/markdown/raised-text.js';
import { areWide } from './join-text.js';
import type { Piece } from './piece.js';

const WORD_GAP = 0.15;
/** Where a blank was drawn beside it. */
const NARROW_WORD_GAP = 0.08;
const WIDE_WORD_GAP = 0.6;

/** What is raised or lowered is as much smaller as this; what is smaller still stands beside an initial. */
const SMALL = 0.85;
/** Or hardly, where it is as far off as no text that is meant to be level. */
const HARDLY_SMALLER = 0.92;
const FAR = 0.3;
const SMALLEST = 0.45;
/** More than text is off that is centred beside a larger one, in sizes of that. */
const RAISED = 0.2;
const LOWERED = 0.08;
/** Its next line stands there. */
const FARTHEST = 0.7;
/** Kerned, or of a font that tells wrong widths. */
const OVERLAP = 0.6;
const MAX_SMALL_CHARACTERS = 12;

/** What the pieces of a line say in the order in which they are read. */
export function joinPieces(ordered: readonly Piece[], isReversed: boolean): string {
  let line = '';
  let small = '';
  let height: TextHeight = null;
  const endSmall = (): void => {
    line += atHeight(small, height);
    small = '';
  };
  for (const { piece, last, at, isAttached } of placed(ordered, isReversed)) {
    if (at !== height) endSmall();
    height = at;
    if (last && !isAttached && isWordGap(last, piece, isReversed)) {
      endSmall();
      line += ' ';
    }
    small += piece.text;
  }
  endSmall();
  return line;
}

interface Placed {
  piece: Piece;
  /** What it stands behind. */
  last: Piece | null;
  at: TextHeight;
  /** It belongs to what it stands behind. */
  isAttached: boolean;
}

/** Where each piece stands beside the text that it belongs to. */
function placed(ordered: readonly Piece[], isReversed: boolean): Placed[] {
  let base: Piece | null = null;
  return ordered.map((piece, index) => {
    const last = ordered[index - 1] ?? null;
    const next = ordered[index + 1];
    const behind = last && base && areClose(last, piece, base, isReversed) ? heightOf(piece, base) : null;
    if (behind !== null) return { piece, last, at: behind, isAttached: true };
    // The number of a footnote stands before its text.
    const isBefore =
      next !== undefined && areClose(piece, next, next, isReversed) && heightOf(piece, next) === 'raised';
    if (!isBefore) base = piece;
    return { piece, last, at: isBefore ? 'raised' : null, isAttached: false };
  });
}

function heightOf(piece: Piece, base: Piece): TextHeight {
  const ratio = piece.size / base.size;
  const rise = (base.baseline - piece.baseline) / base.size;
  if (ratio > (Math.abs(rise) < FAR ? SMALL : HARDLY_SMALLER)) return null;
  if (ratio < SMALLEST || piece.text.length > MAX_SMALL_CHARACTERS) return null;
  if (rise >= RAISED && rise <= FARTHEST) return 'raised';
  return -rise >= LOWERED && -rise <= FARTHEST ? 'lowered' : null;
}

function areClose(last: Piece, piece: Piece, { size }: Piece, isReversed: boolean): boolean {
  const gap = gapOf(last, piece, isReversed);
  return gap <= WORD_GAP * size && gap >= -OVERLAP * size && !/\s$/.test(last.text);
}

/** What reads from left to right stands so in a line that does not. */
function gapOf(last: Piece, piece: Piece, isReversed: boolean): number {
  return isReversed && piece.left < last.left ? last.left - piece.right : piece.left - last.right;
}

/** Lines from right to left are drawn from either end: whether the blank is before or behind a piece, the gap tells. */
function isWordGap(last: Piece, piece: Piece, isReversed: boolean): boolean {
  const size = Math.min(last.size, piece.size);
  const gap = gapOf(last, piece, isReversed);
  if (gap > (areWide(last.text, piece.text) ? WIDE_WORD_GAP : WORD_GAP) * size) return true;
  return isReversed ? (last.isSpaced || piece.isSpaced) && gap > NARROW_WORD_GAP * size : piece.isSpaced;
}
