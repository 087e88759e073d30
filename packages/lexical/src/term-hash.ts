import { WORD_MARK } from './terms.js';

/** Separates a word from a gram of the same letters. */
const WORD_SEED = 0x5bd1e995;

/** A term as a number of 32 bits. In a hundred thousand terms, one or two collide. */
export function hashOf(source: string, start: number, end: number, isWord: boolean): number {
  let hash = isWord ? WORD_SEED : 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ source.charCodeAt(at), 0x01000193);
  // FNV alone puts terms that differ in the last letter next to each other.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** The hash of a term from `termsOf`. */
export function hashOfTerm(term: string): number {
  return term.startsWith(WORD_MARK)
    ? hashOf(term, 1, term.length, true)
    : hashOf(term, 0, term.length, false);
}
