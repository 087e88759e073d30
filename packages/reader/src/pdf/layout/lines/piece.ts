/** Text that was drawn in one go, rotated to read from left to right. In points. */
export interface Piece {
  text: string;
  left: number;
  right: number;
  /** Increases downwards. */
  baseline: number;
  size: number;
  /** pdfjs's name for it. */
  font: string;
  /** A blank precedes it. */
  isSpaced: boolean;
  /** 1 to 6, if the document marks it as a heading. */
  heading: number | null;
  /** The document marks it as no part of its text: page numbers, sometimes footnotes. */
  isArtifact: boolean;
}

/** The text of a page in one direction. */
export interface Layer {
  pieces: Piece[];
  isVertical: boolean;
  /** The height of the page if baselines start with 0 at the top; null: another direction. */
  pageHeight: number | null;
  /** The number of the page in the file, from 1. */
  page: number;
}

export interface PageText {
  /** The direction of most text comes first. */
  layers: Layer[];
  /** Whether text was left out, because there is too much or reading took too long. */
  isCut: boolean;
}
