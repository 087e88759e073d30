import type { Tokenizer } from './cut-passage.js';
import type { BlockKind } from './markdown-blocks.js';

/** In tokens. */
interface PieceSizes {
  /** The intended size of a piece. */
  target: number;
  /** The maximum size of a piece. */
  most: number;
  /** How much a piece may repeat of the one before; 0: nothing. */
  overlap: number;
}

interface Unit extends Span {
  tokens: number;
}

/** Longer spans are not counted as a whole: they have too many tokens anyway. In characters. */
const MAX_COUNTED_CHARACTERS = 20_000;
/** The characters considered for one piece of text without any boundary. */
const WINDOW = 4_000;

/**
 * Splits an over-long block at the best boundaries for its kind. The pieces cover the whole in order; each begins with the
 * last units of the one before, up to `overlap`.
 */
export function* splitBlock(
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
      piece = overlapOf(piece, Math.min(sizes.overlap, sizes.target - unit.tokens));
      tokens = piece.reduce((sum, { tokens }) => sum + tokens, 0);
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
  if (!split) return yield* splitUnbroken(text, span, sizes, tokenizer);
  for (const part of split(text, span)) {
    const tokens = part.end - part.start > MAX_COUNTED_CHARACTERS ? Infinity : countOf(text, part, tokenizer);
    if (tokens <= sizes.most) yield { ...part, tokens };
    else yield* unitsOf(text, part, finer, sizes, tokenizer);
  }
}

/** Splits text without boundaries into units of maximum size. */
function* splitUnbroken(
  text: string,
  span: Span,
  { target }: PieceSizes,
  tokenizer: Tokenizer,
): Generator<Unit> {
  for (let { start } = span; start < span.end;) {
    const run = tokenizer.cut(text.slice(start, Math.min(span.end, start + WINDOW)), target);
    // The window may end within a surrogate pair.
    const isTorn = start + run.length < span.end && isHighHalf(run.charCodeAt(run.length - 1));
    const length = Math.max(1, isTorn ? run.length - 1 : run.length);
    yield { start, end: start + length, tokens: tokenizer.count(run) };
    start += length;
  }
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function countOf(text: string, { start, end }: Span, tokenizer: Tokenizer): number {
  return tokenizer.count(text.slice(start, end));
}

function overlapOf(piece: readonly Unit[], most: number): Unit[] {
  let from = piece.length;
  let tokens = 0;
  while (from > 1) {
    tokens += piece[from - 1]?.tokens ?? 0;
    if (tokens > most) break;
    from -= 1;
  }
  return piece.slice(from);
}

/** A part of a text by offsets. */
export interface Span {
  start: number;
  end: number;
}

/** Splits a part of a text into smaller ones that cover it. */
type Split = (text: string, span: Span) => Iterable<Span>;

function* splitAfter(text: string, { start, end }: Span, pattern: RegExp): Generator<Span> {
  const breaks = new RegExp(pattern, 'gu');
  let from = start;
  breaks.lastIndex = start;
  for (let match = breaks.exec(text); match && breaks.lastIndex < end; match = breaks.exec(text)) {
    yield { start: from, end: breaks.lastIndex };
    from = breaks.lastIndex;
  }
  if (from < end) yield { start: from, end };
}

// A Latin full stop ends a sentence only before a blank; those of other scripts always do. The lookbehind makes the match
// start at the first of several dots: tried at each of them, a page of dots would take seconds.
const SENTENCE = /(?:(?<![.!?…])[.!?…]+["'”’»)\]]*|[؟।॥۔])\s+|[。！？｡．]+["'”’」』）)》】]*\s*|\n\s*\n/u;
const CLAUSE = /[,;:]\s+|[，、；：､]\s*/u;
const LINE = /\n/u;
const ITEM = /\n(?=[ \t]*(?:[-*+•‣◦▪·]|(?:\d{1,9}|[a-zA-Z])[.)])[ \t])/u;
const WORD = /\s+/u;

function by(pattern: RegExp): Split {
  return (text, span) => splitAfter(text, span, pattern);
}

const [sentences, clauses, lines, items, words] = [SENTENCE, CLAUSE, LINE, ITEM, WORD].map(by) as [
  Split,
  Split,
  Split,
  Split,
  Split,
];

/** How to split a block of each kind: what is still too long after one split is split by the next. */
const splitsOf: Readonly<Record<BlockKind, readonly Split[]>> = {
  heading: [words],
  paragraph: [sentences, lines, clauses, words],
  list: [items, lines, sentences, clauses, words],
  table: [lines, sentences, clauses, words],
  code: [lines, words],
};
