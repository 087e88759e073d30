import type { ParsedPage } from '../parsed-document.js';

/** The limit of a message. Longer ones would block the receiver. */
export const MAX_PIECE_CHARACTERS = 100_000;

const ENDS = ['\n\n', '\n', ' '];

/** Splits a long page into pieces, between blocks, lines or words if possible. */
export function* piecesOf(page: ParsedPage): Generator<ParsedPage> {
  let start = 0;
  do {
    const end = endOfPiece(page.markdown, start);
    yield { number: page.number, markdown: page.markdown.slice(start, end) };
    start = end;
  } while (start < page.markdown.length);
}

function endOfPiece(text: string, start: number): number {
  const most = start + MAX_PIECE_CHARACTERS;
  if (most >= text.length) return text.length;
  const earliest = start + MAX_PIECE_CHARACTERS / 2;
  for (const end of ENDS) {
    const found = text.lastIndexOf(end, most - end.length);
    if (found >= earliest) return found + end.length;
  }
  // Not within a surrogate pair.
  const isWithin = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return isWithin ? most - 1 : most;
}
