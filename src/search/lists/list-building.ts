import { saturation } from '../lexical/bm25.js';
import { impactOf, IMPACTS, PostingWriter } from '../lexical/postings.js';
import { TermVector } from '../lexical/term-vector.js';
import { byteaArray, int4Array } from './binary-array.js';

/** An item that goes into the lists. */
export interface ListedItem {
  ordinal: number;
  text: string;
}

/** What is appended to lists in one statement: arrays as PostgreSQL reads them, in the order of the terms. */
export interface ListAddition {
  /** Of lists. */
  count: number;
  terms: Uint8Array;
  dfs: Uint8Array;
  firstOrdinals: Uint8Array;
  data: Uint8Array;
}

/** Ordinal and impact in one number, ordinals ascending, by term. */
type PostingsByTerm = ReadonlyMap<number, readonly number[]>;

/**
 * What items, in the order of their ordinals, add to the lists of their terms, at most `termsAtATime` in one piece.
 * `usualLength` is what the lengths of items are compared with.
 */
export const buildLists = (
  items: readonly ListedItem[],
  usualLength: number,
  termsAtATime: number,
): ListAddition[] => {
  const postings = postingsOf(items, usualLength);
  // In the same order always, or two of these would wait for each other's rows.
  const terms = [...postings.keys()].toSorted((one, other) => one - other);
  const additions: ListAddition[] = [];
  for (let at = 0; at < terms.length; at += termsAtATime) {
    additions.push(additionOf(terms.slice(at, at + termsAtATime), postings));
  }
  return additions;
};

const postingsOf = (items: readonly ListedItem[], usualLength: number): PostingsByTerm => {
  const postings = new Map<number, number[]>();
  for (const { ordinal, text } of items) {
    const vector = TermVector.gramsOf(text);
    vector.each((term, count) => {
      const posting = ordinal * IMPACTS + impactOf(saturation(count, vector.length, usualLength));
      const list = postings.get(term);
      if (list) list.push(posting);
      else postings.set(term, [posting]);
    });
  }
  return postings;
};

const additionOf = (terms: readonly number[], postings: PostingsByTerm): ListAddition => {
  const dfs: number[] = [];
  const firstOrdinals: number[] = [];
  const data: Buffer[] = [];
  const writer = new PostingWriter();
  for (const term of terms) {
    const list = postings.get(term) ?? [];
    const start = writer.length;
    writer.begin({ follows: true });
    for (const posting of list) writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
    dfs.push(list.length);
    firstOrdinals.push(Math.floor((list[0] ?? 0) / IMPACTS));
    data.push(writer.from(start));
  }
  return {
    count: terms.length,
    terms: int4Array(terms),
    dfs: int4Array(dfs),
    firstOrdinals: int4Array(firstOrdinals),
    data: byteaArray(data),
  };
};
