/** The start of a page within a text. `offset`: in UTF-16 code units. */
export interface PageBreak {
  offset: number;
  page: number | null;
}

/** A piece of a document's text, as it is cut. */
export interface CutPassage {
  /** From 0, in the order of the document. */
  ordinal: number;
  /** Its first page, from 1; null: the document has no pages. */
  page: number | null;
  /** The starts of its further pages. */
  pageBreaks: PageBreak[];
  /** The headings above it, outermost first. */
  headings: string[];
  /** In UTF-16 code units of the document's whole text. Passages may overlap. */
  startOffset: number;
  endOffset: number;
  tokens: number;
  /** BCP 47; null: unknown. */
  language: string | null;
  /** Markdown. */
  text: string;
}

/** Counts tokens, as models count them. */
export interface Tokenizer {
  count(text: string): number;
  /** The beginning of a text with at most `maxTokens` tokens, in whole characters. */
  cut(text: string, maxTokens: number): string;
}
