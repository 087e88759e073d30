import { WORD_MARK } from './terms.js';

/** What sets a word apart from a gram of the same letters. */
const WORD_SEED = 0x5bd1e995;

/** A term as a number of 32 bits: of a hundred thousand, one or two share theirs with another. */
export function hashOf(source: string, start: number, end: number, isWord: boolean): number {
  let hash = isWord ? WORD_SEED : 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ source.charCodeAt(at), 0x01000193);
  // FNV alone leaves terms that differ in their last letter beside each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The same of a term as `termsOf` gives it. */
export function hashOfTerm(term: string): number {
  return term.startsWith(WORD_MARK)
    ? hashOf(term, 1, term.length, true)
    : hashOf(term, 0, term.length, false);
}
