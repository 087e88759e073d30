import { atHeight, type TextHeight } from '../../../office/markdown/raised-text.js';
import { areWide } from './join-text.js';
import type { Piece } from './piece.js';

const WORD_GAP = 0.15;
/** The word gap where a blank was drawn too. */
const NARROW_WORD_GAP = 0.08;
const WIDE_WORD_GAP = 0.6;

/** The relative size of raised and lowered text. Even smaller text follows an initial. */
const SMALL = 0.85;
/** The limit for text that is clearly off the line. */
const HARDLY_SMALLER = 0.92;
const FAR = 0.3;
const SMALLEST = 0.45;
/** In sizes of the base text. Smaller text that is centred beside a larger one is less far off. */
const RAISED = 0.2;
const LOWERED = 0.08;
/** The next line is there. */
const MAX_RISE = 0.7;
/** Overlap by kerning, or by a font with wrong widths. */
const OVERLAP = 0.6;
const MAX_SMALL_CHARACTERS = 12;

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
  last: Piece | null;
  at: TextHeight;
  /** Whether it is raised or lowered text of the previous piece. */
  isAttached: boolean;
}

/** Determines the height of each piece relative to its base text. */
function placed(ordered: readonly Piece[], isReversed: boolean): Placed[] {
  let base: Piece | null = null;
  return ordered.map((piece, index) => {
    const last = ordered[index - 1] ?? null;
    const next = ordered[index + 1];
    const behind = last && base && areClose(last, piece, base, isReversed) ? heightOf(piece, base) : null;
    if (behind !== null) return { piece, last, at: behind, isAttached: true };
    // The number of a footnote precedes its text.
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
  if (rise >= RAISED && rise <= MAX_RISE) return 'raised';
  return -rise >= LOWERED && -rise <= MAX_RISE ? 'lowered' : null;
}

function areClose(last: Piece, piece: Piece, { size }: Piece, isReversed: boolean): boolean {
  const gap = gapOf(last, piece, isReversed);
  return gap <= WORD_GAP * size && gap >= -OVERLAP * size && !/\s$/.test(last.text);
}

/** Left-to-right text keeps its direction within a right-to-left line. */
function gapOf(last: Piece, piece: Piece, isReversed: boolean): number {
  return isReversed && piece.left < last.left ? last.left - piece.right : piece.left - last.right;
}

/** Right-to-left lines are drawn in both orders. The gap tells whether the blank was before or after a piece. */
function isWordGap(last: Piece, piece: Piece, isReversed: boolean): boolean {
  const size = Math.min(last.size, piece.size);
  const gap = gapOf(last, piece, isReversed);
  if (gap > (areWide(last.text, piece.text) ? WIDE_WORD_GAP : WORD_GAP) * size) return true;
  return isReversed ? (last.isSpaced || piece.isSpaced) && gap > NARROW_WORD_GAP * size : piece.isSpaced;
}
