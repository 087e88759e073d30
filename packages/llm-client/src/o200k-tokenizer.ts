import { createRequire } from 'node:module';
import { StringDecoder } from 'node:string_decoder';
import { LRUCache } from 'lru-cache';

import { TokenRanks } from './token-ranks.js';
import { Tokenizer } from './tokenizer.js';

/**
 * The time for an unbroken run of letters or signs is quadratic in its length, so longer runs are sliced. That adds a
 * fraction of a token a slice, and no word is as long.
 */
const sliceCharacters = 64;
const minCachedCharacters = 200;
const maxCachedCharacters = 4_000_000;
/** Counts of words that are several tokens: a language repeats the same words in every text. */
const maxKnownPieces = 50_000;

interface Encoding {
  ranks: TokenRanks;
  /** Matches the pieces of a text. Tokens do not cross their borders. */
  pieces: RegExp;
}

/**
 * OpenAI's o200k encoding, for every model. Other encodings differ by some per cent, for which callers leave room.
 * Only the tables are the library's: its merging is ten times slower on non-ASCII text, and it reads words as special
 * tokens, which are plain text here.
 */
export class O200kTokenizer extends Tokenizer {
  private readonly counts = new LRUCache<string, number>({
    max: 5_000,
    maxSize: maxCachedCharacters,
    maxEntrySize: maxCachedCharacters / 4,
    sizeCalculation: (_, text) => text.length,
  });
  private readonly pieceCounts = new Map<string, number>();

  override count(text: string): number {
    if (text.length <= minCachedCharacters) return this.countPieces(text);
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    const count = this.countPieces(text);
    this.counts.set(text, count);
    return count;
  }

  override prepare(): void {
    encoding();
  }

  override cut(text: string, maxTokens: number): string {
    if (this.fitsSurely(text, maxTokens)) return text;
    let end = this.endOf(text, maxTokens);
    // A cut may change the last pieces, as with `don'` of `don't`.
    while (this.countPieces(text.slice(0, end)) > maxTokens) end = characterStart(text, end - 1);
    return text.slice(0, end);
  }

  private countPieces(text: string): number {
    let count = 0;
    for (const piece of this.piecesOf(text)) count += this.pieceCounts.get(piece) ?? this.countPiece(piece);
    return count;
  }

  private countPiece(piece: string): number {
    const count = this.bordersOf(bytesOf(piece)).length - 1;
    // Emptied, not trimmed: tracking the order of use is not worth it.
    if (this.pieceCounts.size >= maxKnownPieces) this.pieceCounts.clear();
    if (count > 1) this.pieceCounts.set(piece, count);
    return count;
  }

  /** The index up to which the text has `maxTokens` tokens of whole characters. */
  private endOf(text: string, maxTokens: number): number {
    let left = maxTokens;
    let end = 0;
    for (const piece of this.piecesOf(text)) {
      const bytes = bytesOf(piece);
      const borders = this.bordersOf(bytes);
      const border = borders[left];
      if (border !== undefined && border < bytes.length) return end + charactersBefore(bytes, border);
      left -= borders.length - 1;
      end += piece.length;
    }
    return end;
  }

  private bordersOf(bytes: string): number[] {
    return tokenBorders(bytes, encoding().ranks);
  }

  private *piecesOf(text: string): Generator<string> {
    for (const [piece] of text.matchAll(encoding().pieces)) {
      if (piece.length <= sliceCharacters) yield piece;
      else yield* slicesOf(piece);
    }
  }
}

type Parameters = typeof import('gpt-tokenizer/encodingParams/o200k_base');

let loaded: Encoding | null = null;

/** On first use: the tables take a tenth of a second and 5 MB, which a process that serves clients only saves. */
function encoding(): Encoding {
  loaded ??= load();
  return loaded;
}

function load(): Encoding {
  const require = createRequire(import.meta.url);
  const { O200KBase } = require('gpt-tokenizer/encodingParams/o200k_base') as Parameters;
  return {
    ranks: TokenRanks.read(require.resolve('gpt-tokenizer/data/o200k_base.tiktoken')),
    pieces: O200KBase([]).tokenSplitRegex,
  };
}

function* slicesOf(piece: string): Generator<string> {
  for (let start = 0; start < piece.length;) {
    const end = characterStart(piece, start + sliceCharacters);
    yield piece.slice(start, end);
    start = end;
  }
}

/** The text's bytes in UTF-8 as characters of a string. ASCII text is returned as it is. */
function bytesOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

function charactersBefore(bytes: string, place: number): number {
  // The decoder holds back an incomplete character.
  return new StringDecoder('utf8').write(Buffer.from(bytes.slice(0, place), 'latin1')).length;
}

/** The index, or the one before it if it would split a surrogate pair. */
function characterStart(text: string, index: number): number {
  const isLowHalf = isBetween(text.charCodeAt(index), 0xdc00, 0xdfff);
  return isLowHalf && isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff) ? index - 1 : index;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}

/** The borders of the tokens: one more than there are tokens. */
function tokenBorders(bytes: string, ranks: TokenRanks): number[] {
  if (ranks.rankOf(bytes, 0, bytes.length) !== Infinity) return [0, bytes.length];
  const borders: number[] = [];
  const pairs: number[] = [];
  for (let index = 0; index <= bytes.length; index++) {
    borders.push(index);
    pairs.push(index + 1 < bytes.length ? ranks.rankOf(bytes, index, index + 2) : Infinity);
  }
  const rankAt = (index: number): number => {
    const end = borders[index + 2];
    return end === undefined ? Infinity : ranks.rankOf(bytes, borders[index] as number, end);
  };
  // The pair with the lowest rank is merged first. Callers pass few bytes, so a linear search is fastest.
  for (let at = indexOfLeast(pairs); at !== -1; at = indexOfLeast(pairs)) {
    removeAt(borders, at + 1);
    removeAt(pairs, at + 1);
    pairs[at] = rankAt(at);
    if (at > 0) pairs[at - 1] = rankAt(at - 1);
  }
  return borders;
}

/** Like `splice`, which is several times slower for so few. */
function removeAt(numbers: number[], at: number): void {
  for (let index = at + 1; index < numbers.length; index++) numbers[index - 1] = numbers[index] as number;
  numbers.pop();
}

/** -1: all are Infinity. */
function indexOfLeast(ranks: readonly number[]): number {
  let least = Infinity;
  let at = -1;
  // By index: iterators cost several times as much in this hot loop.
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] ?? Infinity;
    if (rank >= least) continue;
    least = rank;
    at = index;
  }
  return at;
}
