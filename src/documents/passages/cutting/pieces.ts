import type { Tokenizer } from '../../../llm/tokens/tokenizer.js';
import type { BlockKind } from './blocks.js';
import type { Span, Split } from './spans.js';
import { splitsOf } from './spans.js';

/** In tokens. */
export interface PieceSizes {
  /** What a piece is to have. */
  target: number;
  /** What it may have at most. */
  most: number;
  /** What it repeats of the one before it at most; 0: nothing. */
  overlap: number;
}

interface Unit extends Span {
  tokens: number;
}

/** A span that is longer than this is not counted as a whole. A token is seldom more than a few characters. */
const LONGEST_COUNTED = 20_000;
/** Of what has no border at all, so much is looked at for one piece. */
const WINDOW = 4_000;

/**
 * Cuts what is too long for a piece, at the best borders that its kind has. The pieces are in order and cover the whole,
 * and each begins with the last units of the one before it, as far as `overlap` goes.
 */
export function* piecesOf(
  text: string,
  kind: BlockKind,
  span: Span,
  sizes: PieceSizes,
  tokenizer: Tokenizer,
): Generator<Span> {
  let piece: Unit[] = [];
  let tokens = 0;
  for (const unit of unitsOf(text, span, splitsOf[kind], sizes, tokenizer)) {
    if (piece.length > 0 && tokens + unit.tokens > sizes.target) {
      yield { start: piece[0]?.start ?? unit.start, end: unit.start };
      piece = repeatedOf(piece, Math.min(sizes.overlap, sizes.target - unit.tokens));
      tokens = sumOf(piece);
    }
    piece.push(unit);
    tokens += unit.tokens;
  }
  const [first] = piece;
  if (first) yield { start: first.start, end: span.end };
}

function* unitsOf(
  text: string,
  span: Span,
  splits: readonly Split[],
  sizes: PieceSizes,
  tokenizer: Tokenizer,
): Generator<Unit> {
  const [split, ...finer] = splits;
  if (!split) return yield* runsOf(text, span, sizes, tokenizer);
  for (const part of split(text, span)) {
    const tokens = part.end - part.start > LONGEST_COUNTED ? Infinity : countOf(text, part, tokenizer);
    if (tokens <= sizes.most) yield { ...part, tokens };
    else yield* unitsOf(text, part, finer, sizes, tokenizer);
  }
}

/** Of what has no border: as long as they may be. */
function* runsOf(text: string, span: Span, { target }: PieceSizes, tokenizer: Tokenizer): Generator<Unit> {
  for (let { start } = span; start < span.end;) {
    const run = tokenizer.cut(text.slice(start, Math.min(span.end, start + WINDOW)), target);
    // A window may end within a character.
    const isTorn = start + run.length < span.end && isHighHalf(run.charCodeAt(run.length - 1));
    const length = Math.max(1, isTorn ? run.length - 1 : run.length);
    yield { start, end: start + length, tokens: tokenizer.count(run) };
    start += length;
  }
}

const isHighHalf = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

const countOf = (text: string, { start, end }: Span, tokenizer: Tokenizer): number =>
  tokenizer.count(text.slice(start, end));

const repeatedOf = (piece: readonly Unit[], most: number): Unit[] => {
  let from = piece.length;
  let tokens = 0;
  while (from > 1) {
    tokens += piece[from - 1]?.tokens ?? 0;
    if (tokens > most) break;
    from -= 1;
  }
  return piece.slice(from);
};

const sumOf = (units: readonly Unit[]): number => units.reduce((sum, { tokens }) => sum + tokens, 0);
