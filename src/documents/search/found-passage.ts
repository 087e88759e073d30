import type { PageBreak } from '@palabre/passages';

/** What a search gives: a passage, or some that follow each other, put together. */
export interface FoundPassage {
  /** Of the passage that answers best. */
  id: string;
  documentId: string;
  documentName: string;
  /** From 1, of the passage that answers best; null: the document has no pages. */
  page: number | null;
  /** Where in the text which page begins, from its beginning on; empty: all of it is on `page`. */
  pageBreaks: readonly PageBreak[];
  headings: readonly string[];
  /** BCP 47; null: unknown. */
  language: string | null;
  /** Markdown. */
  text: string;
  /** How much it bears on the query, 0 to 1. */
  score: number;
}

export interface FoundPassages {
  /** The best first: no score is greater than the one before it. */
  passages: FoundPassage[];
  /** Why there was no search by meaning although there is an embedder, for people; null: all is well. */
  warning: string | null;
}
