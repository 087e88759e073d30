import type { ParsedPage } from '../../parsed-document.js';
import { type Block, piecesOf } from '../markdown/pieces.js';
import { heading } from '../markdown/text.js';

/** A sheet as a page in one or more pieces, its name before its first block. */
export function* sheetPages(number: number, name: string, blocks: Iterable<Block>): Generator<ParsedPage> {
  let isEmpty = true;
  for (const markdown of piecesOf(named(name, blocks))) {
    yield { number, markdown };
    isEmpty = false;
  }
  if (isEmpty) yield { number, markdown: '' };
}

function* named(name: string, blocks: Iterable<Block>): Generator<Block> {
  let isFirst = true;
  for (const block of blocks) {
    if (block.markdown === '') continue;
    if (isFirst) yield { markdown: heading(1, name) };
    isFirst = false;
    yield block;
  }
}
