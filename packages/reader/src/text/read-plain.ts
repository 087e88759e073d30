import { piecesOf } from '../office/markdown/pieces.js';
import { withoutFrontMatter } from './front-matter.js';
import { blocksOf } from './text-blocks.js';
import type { TextReading } from './text-reading.js';

/** Ends of lines within paragraphs and of pages. */
const OTHER_ENDS = /[\v\f]/g;

/** A text as it is. */
export function* readPlain(text: string): TextReading {
  yield* piecesOf(blocksOf(text.replaceAll(OTHER_ENDS, '\n')));
  return [];
}

/** Markdown as it is, without what stands above it for programs. */
export function* readMarkdown(text: string): TextReading {
  yield* piecesOf(blocksOf(withoutFrontMatter(text).replaceAll(OTHER_ENDS, '\n')));
  return [];
}
