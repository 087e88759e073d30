import type { PageBreak } from '@palabre/passages';

/** A result of a search: a passage, or several consecutive ones joined. */
export interface FoundPassage {
  /** The id of the best passage. */
  id: string;
  documentId: string;
  documentName: string;
  /** The page of the best passage, from 1. Null: the document has no pages. */
  page: number | null;
  /** The starts of pages in the text. Empty: all of it is on `page`. */
  pageBreaks: readonly PageBreak[];
  headings: readonly string[];
  /** BCP 47; null: unknown. */
  language: string | null;
  /** Markdown. */
  text: string;
  /** The relevance to the query, 0 to 1. */
  score: number;
}

export interface FoundPassages {
  /** Best first, in descending order of score. */
  passages: FoundPassage[];
  /** Why there was no search by meaning although there is an embedder, for people. Null: no problem. */
  warning: string | null;
}
