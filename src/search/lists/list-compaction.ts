import {
  countPostings,
  eachPosting,
  IMPACTS,
  MOST_POSTING_BYTES,
  PostingWriter,
} from '../lexical/postings.js';
import { byteaArray, int4Array } from './binary-array.js';

/** A longer end of a list becomes a part: every batch writes the end anew, so it is kept short. */
export const MOST_END_BYTES = 600;

/** Four rows of it fill a page of PostgreSQL. */
export const MOST_PART_BYTES = 1960;

/** A shorter part goes together with its neighbour. */
const LEAST_PART_BYTES = 600;

export interface StoredPart {
  firstOrdinal: number;
  data: Uint8Array;
}

/** A whole list: see SearchList. Its end is `firstOrdinal` and `data`. */
export interface StoredList extends StoredPart {
  term: number;
  df: number;
  /** What comes before its end, in order. */
  parts: readonly StoredPart[];
}

/** Rows by columns: arrays as PostgreSQL reads them. */
type Columns<Name extends string> = Record<Name, Uint8Array>;

/** What becomes of lists. */
export interface ListChanges {
  ends: Columns<'terms' | 'dfs' | 'firstOrdinals' | 'data'>;
  endsDeleted: Columns<'terms'>;
  parts: Columns<'terms' | 'firstOrdinals' | 'data'>;
  partsDeleted: Columns<'terms' | 'firstOrdinals'>;
  isEmpty: boolean;
}

/** Ordinals that are not to stay: a bit for each. */
export type DeadOrdinals = Uint8Array;

export const isDead = (dead: DeadOrdinals, ordinal: number): boolean =>
  ((dead[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;

/** Those below `until` that are in one of the ranges. */
export const deadOf = (until: number, ranges: Iterable<{ from: number; to: number }>): DeadOrdinals => {
  const dead = new Uint8Array((until >> 3) + 1);
  for (const { from, to } of ranges) {
    for (let ordinal = from; ordinal <= to; ordinal += 1) {
      dead[ordinal >> 3] = (dead[ordinal >> 3] ?? 0) | (1 << (ordinal & 7));
    }
  }
  return dead;
};

/** Takes what is dead out of whole lists. Lists and parts of which nothing is dead stay as they are. */
export const compactLists = (lists: readonly StoredList[], dead: DeadOrdinals): ListChanges => {
  const ends: StoredList[] = [];
  const endsDeleted: number[] = [];
  const parts: (StoredPart & { term: number })[] = [];
  const partsDeleted: { term: number; firstOrdinal: number }[] = [];
  for (const list of lists) {
    const { term } = list;
    const compact = compactList(list, dead);
    if (!compact) endsDeleted.push(term);
    else if (compact.df !== list.df || !isSame(compact, list)) ends.push(compact);
    const before = new Map(list.parts.map((part) => [part.firstOrdinal, part]));
    for (const part of compact?.parts ?? []) {
      const old = before.get(part.firstOrdinal);
      if (!old || !isSame(part, old)) parts.push({ ...part, term });
      before.delete(part.firstOrdinal);
    }
    partsDeleted.push(...Array.from(before.keys(), (firstOrdinal) => ({ term, firstOrdinal })));
  }
  return {
    ends: { ...columnsOf(ends), dfs: int4Array(ends.map(({ df }) => df)) },
    endsDeleted: { terms: int4Array(endsDeleted) },
    parts: columnsOf(parts),
    partsDeleted: {
      terms: int4Array(partsDeleted.map(({ term }) => term)),
      firstOrdinals: int4Array(partsDeleted.map(({ firstOrdinal }) => firstOrdinal)),
    },
    isEmpty: ends.length + endsDeleted.length + parts.length + partsDeleted.length === 0,
  };
};

const columnsOf = (
  rows: readonly (StoredPart & { term: number })[],
): Columns<'terms' | 'firstOrdinals' | 'data'> => ({
  terms: int4Array(rows.map(({ term }) => term)),
  firstOrdinals: int4Array(rows.map(({ firstOrdinal }) => firstOrdinal)),
  data: byteaArray(rows.map(({ data }) => data)),
});

const isSame = (one: StoredPart, other: StoredPart): boolean =>
  one.firstOrdinal === other.firstOrdinal && Buffer.compare(one.data, other.data) === 0;

/** A list without what is dead; null: nothing is left of it. */
export const compactList = (list: StoredList, dead: DeadOrdinals): StoredList | null => {
  const parts: StoredPart[] = [];
  let df = 0;
  /** What is yet to be written, after `parts`. */
  let run: number[] = [];
  for (const part of list.parts) {
    const postings = read(part.data, dead);
    df += postings.length;
    const isFine = part.data.length >= LEAST_PART_BYTES && postings.length === countPostings(part.data);
    const isRunShort = run.length > 0 && write(run).length < LEAST_PART_BYTES;
    if (isFine && !isRunShort) {
      parts.push(...split(run).map(partOf), part);
      run = [];
    } else run = run.concat(postings);
  }
  const last = read(list.data, dead);
  df += last.length;
  if (df === list.df) return list;
  if (df === 0) return null;
  const pieces = split(run.concat(last));
  const end = write(pieces.at(-1) ?? []).length <= MOST_END_BYTES ? (pieces.pop() ?? []) : [];
  parts.push(...pieces.map(partOf));
  return { term: list.term, df, ...partOf(end), parts };
};

/** Ordinal and impact in one number each. */
const read = (data: Uint8Array, dead: DeadOrdinals): number[] => {
  const postings: number[] = [];
  eachPosting(data, (ordinal, impact) => {
    if (!isDead(dead, ordinal)) postings.push(ordinal * IMPACTS + impact);
  });
  return postings;
};

const write = (postings: readonly number[]): Buffer => {
  const writer = new PostingWriter();
  for (const posting of postings) writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
  return writer.from(0);
};

const partOf = (postings: readonly number[]): StoredPart => ({
  firstOrdinal: Math.floor((postings[0] ?? 0) / IMPACTS),
  data: write(postings),
});

/** Pieces that each fill a part, but for the last. */
const split = (postings: readonly number[]): number[][] => {
  const pieces: number[][] = [];
  let writer = new PostingWriter();
  for (const posting of postings) {
    if (pieces.length === 0 || writer.length + MOST_POSTING_BYTES > MOST_PART_BYTES) {
      pieces.push([]);
      writer = new PostingWriter();
    }
    pieces.at(-1)?.push(posting);
    writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
  }
  return pieces;
};
