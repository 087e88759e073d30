import type { Span } from '../spans.js';

/** A number of a text, with its place. */
export interface FoundNumber extends Span {
  value: number;
  /** A single word that means something else too (un, dos, très, mille): a number only when a unit follows. */
  weak: boolean;
}
