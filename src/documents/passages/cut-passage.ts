import type { Passage } from './passage.entity.js';

/** A piece of a document's text on its way into the database. */
export type CutPassage = Pick<
  Passage,
  | 'ordinal'
  | 'page'
  | 'pageBreaks'
  | 'headings'
  | 'startOffset'
  | 'endOffset'
  | 'tokens'
  | 'language'
  | 'text'
>;
