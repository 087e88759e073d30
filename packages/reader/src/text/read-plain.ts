import { piecesOf } from '../office/markdown/pieces.js';
import { withoutFrontMatter } from './front-matter.js';
import { blocksOf } from './text-blocks.js';
import type { TextReading } from './text-reading.js';

/** Vertical tabs and form feeds. */
const OTHER_ENDS = /[\v\f]/g;

/** Plain text, unchanged. */
export function* readPlain(text: string): TextReading {
  yield* piecesOf(blocksOf(text.replaceAll(OTHER_ENDS, '\n')));
  return [];
}

/** Markdown, without front matter. */
export function* readMarkdown(text: string): TextReading {
  yield* piecesOf(blocksOf(withoutFrontMatter(text).replaceAll(OTHER_ENDS, '\n')));
  return [];
}
