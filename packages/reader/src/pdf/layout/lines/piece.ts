/** Text that was drawn in one go, its page turned so that it reads from left to right and downwards. In points. */
export interface Piece {
  text: string;
  left: number;
  right: number;
  /** Grows downwards. */
  baseline: number;
  size: number;
  /** As pdfjs calls it. */
  font: string;
  /** There was a blank before it. */
  isSpaced: boolean;
  /** 1 to 6, where the document itself says that this is a heading. */
  heading: number | null;
  /** The document has it for no part of its text: page numbers, and at times footnotes. */
  isArtifact: boolean;
}

/** The text of a page that reads in one direction. */
export interface Layer {
  pieces: Piece[];
  isVertical: boolean;
  /** Of the page, if its baselines begin at 0 at the top; null: it reads in another direction. */
  pageHeight: number | null;
  /** The number of the page in the file, from 1. */
  page: number;
}

export interface PageText {
  /** The direction first that most of it has. */
  layers: Layer[];
  /** It has more text than is read, or reading it took too long. */
  isCut: boolean;
}
