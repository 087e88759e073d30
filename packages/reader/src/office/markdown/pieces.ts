/** A paragraph, heading, list item or part of a table. */
export interface Block {
  markdown: string;
  /** Follows the previous item without a blank line. */
  isItem?: boolean;
}

const ENOUGH_CHARACTERS = 20_000;
const MAX_CHARACTERS = 40_000;

/** Joins blocks to pieces of about 20,000 to 40,000 characters, cut before a heading if possible. */
export function* piecesOf(blocks: Iterable<Block>): Generator<string> {
  let piece = '';
  let followsItem = false;
  for (const { markdown, isItem = false } of blocks) {
    if (markdown === '') continue;
    const isFull = piece.length > ENOUGH_CHARACTERS && markdown.startsWith('#');
    if (piece !== '' && (isFull || piece.length + markdown.length > MAX_CHARACTERS)) {
      yield* shortened(piece);
      piece = '';
    }
    piece += piece === '' ? markdown : `${isItem && followsItem ? '\n' : '\n\n'}${markdown}`;
    followsItem = isItem;
  }
  if (piece !== '') yield* shortened(piece);
}

/** The blocks as one text, for pages. */
export function joined(blocks: Iterable<Block>): string {
  const lines: string[] = [];
  let followsItem = false;
  for (const { markdown, isItem = false } of blocks) {
    if (markdown === '') continue;
    if (lines.length > 0 && !(isItem && followsItem)) lines.push('');
    lines.push(markdown);
    followsItem = isItem;
  }
  return lines.join('\n');
}

/** Cuts an overlong block between lines, else between words, else anywhere. */
function* shortened(piece: string): Generator<string> {
  let start = 0;
  while (piece.length - start > MAX_CHARACTERS) {
    const most = start + MAX_CHARACTERS;
    // Only in the tail: without any blank, the whole piece would be searched each time.
    const gap = lastGap(piece.slice(start + ENOUGH_CHARACTERS, most));
    const end = gap === -1 ? wholeCharacter(piece, most) : start + ENOUGH_CHARACTERS + gap;
    yield* trimmed(piece.slice(start, end));
    start = gap === -1 ? end : end + 1;
  }
  yield* trimmed(piece.slice(start));
}

function lastGap(text: string): number {
  const line = text.lastIndexOf('\n');
  return line === -1 ? text.lastIndexOf(' ') : line;
}

/** Removes blank lines, but keeps the indentation of the first line with text. */
function* trimmed(piece: string): Generator<string> {
  const text = piece.replace(/^\s*\n/, '').trimEnd();
  if (text !== '') yield text;
}

function wholeCharacter(text: string, index: number): number {
  return /[\udc00-\udfff]/.test(text[index] ?? '') ? index - 1 : index;
}
