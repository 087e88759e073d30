import { slicesOf } from '../../text-slices.js';

/** A paragraph, heading, list item or part of a table. */
export interface Block {
  markdown: string;
  /** Follows the previous item without a blank line. */
  isItem?: boolean;
}

const MAX_CHARACTERS = 40_000;

/** Joins blocks to pieces of about `most` characters or half of that, cut before a heading if possible. */
export function* piecesOf(blocks: Iterable<Block>, most = MAX_CHARACTERS): Generator<string> {
  let piece = '';
  let followsItem = false;
  for (const { markdown, isItem = false } of blocks) {
    if (markdown === '') continue;
    const isFull = piece.length > most / 2 && markdown.startsWith('#');
    if (piece !== '' && (isFull || piece.length + markdown.length > most)) {
      yield* shortened(piece, most);
      piece = '';
    }
    piece += piece === '' ? markdown : `${isItem && followsItem ? '\n' : '\n\n'}${markdown}`;
    followsItem = isItem;
  }
  if (piece !== '') yield* shortened(piece, most);
}

/** The blocks as one text, for pages. */
export function joined(blocks: Iterable<Block>): string {
  return [...piecesOf(blocks, Infinity)].join('');
}

/** Cuts an overlong piece. Removes blank lines around each part, but keeps the indentation of its first line. */
function* shortened(piece: string, most: number): Generator<string> {
  for (const slice of slicesOf(piece, most)) {
    const text = slice.replace(/^\s*\n/, '').trimEnd();
    if (text !== '') yield text;
  }
}
