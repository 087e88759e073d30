import { piecesOf } from '../office/markdown/pieces.js';
import { withoutFrontMatter } from './front-matter.js';
import { blocksOf } from './text-blocks.js';
import type { TextReading } from './text-reading.js';

/** A text as it is. */
export function* readPlain(text: string): TextReading {
  yield* piecesOf(blocksOf(text));
  return [];
}

/** Markdown as it is, without what stands above it for programs. */
export function* readMarkdown(text: string): TextReading {
  yield* piecesOf(blocksOf(withoutFrontMatter(text)));
  return [];
}
