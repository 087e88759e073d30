/** The public interface. Nothing else of the package may be imported. */
export { gain, idfOf, saturation } from './bm25.js';
export { joinedFormsOf } from './figures.js';
export { fold } from './fold.js';
export {
  changeBlocks,
  findInBlock,
  firstOrdinalOf,
  LEAST_OWN_BYTES,
  listsOfBlock,
  type StoredBlock,
} from './list-blocks.js';
export { eachScore, TopK, type WeightedList } from './list-scores.js';
export type { TermList } from './packed-lists.js';
export {
  eachPosting,
  countPostings,
  impactOf,
  IMPACTS,
  MAX_POSTING_BYTES,
  PostingWriter,
} from './postings.js';
export { QueryTerms } from './query-terms.js';
export { asSimplified, simplifiedPairs } from './simplified-chinese.js';
export { contentWordsOf, onlyContentWordsOf } from './stop-words.js';
export { hashOfTerm } from './term-hash.js';
export { TermIndex } from './term-index.js';
export { TermMatches } from './term-matches.js';
export { TermVector } from './term-vector.js';
export { MAX_TEXT_CHARACTERS, termsOf } from './terms.js';
