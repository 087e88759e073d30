import {
  changeBlocks,
  countPostings,
  eachPosting,
  firstOrdinalOf,
  impactOf,
  IMPACTS,
  LEAST_OWN_BYTES,
  MAX_POSTING_BYTES,
  PostingWriter,
  saturation,
  type StoredBlock,
  type TermList,
  TermVector,
} from '@palabre/lexical';

import { byteaArray, int4Array } from './postgres-arrays.js';

/** A list's end that grows beyond this becomes a part. Every batch rewrites the end, so it is kept short. */
export const MAX_END_BYTES = 600;

/** Four rows of this size fill a page of PostgreSQL. */
export const MAX_PART_BYTES = 1960;

/** Shorter parts are merged with a neighbour. */
const LEAST_PART_BYTES = 600;

export interface StoredPart {
  firstOrdinal: number;
  data: Uint8Array;
}

/** A whole list: see SearchList. `firstOrdinal` and `data` are its end. */
export interface StoredList extends StoredPart {
  term: number;
  df: number;
  /** The parts before its end, in order. */
  parts: readonly StoredPart[];
}

/** Rows as columns: arrays in PostgreSQL's binary format. */
type Columns<Name extends string> = Record<Name, Uint8Array>;

export interface ListChanges {
  ends: Columns<'terms' | 'dfs' | 'firstOrdinals' | 'data'>;
  endsDeleted: Columns<'terms'>;
  parts: Columns<'terms' | 'firstOrdinals' | 'data'>;
  partsDeleted: Columns<'terms' | 'firstOrdinals'>;
  blocks: Columns<'firstTerms' | 'data'>;
  blocksDeleted: Columns<'firstTerms'>;
  isEmpty: boolean;
}

/** Ordinals of deleted items: a bit for each. */
export type DeadOrdinals = Uint8Array;

export function isDead(dead: DeadOrdinals, ordinal: number): boolean {
  return ((dead[ordinal >> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
}

/** The bit set of the ordinals in `ranges`, all of which are below `until`. */
export function deadOf(until: number, ranges: Iterable<{ from: number; to: number }>): DeadOrdinals {
  const dead = new Uint8Array((until >> 3) + 1);
  for (const { from, to } of ranges) {
    for (let ordinal = from; ordinal <= to; ordinal += 1)
      dead[ordinal >> 3] = (dead[ordinal >> 3] ?? 0) | (1 << (ordinal & 7));
  }
  return dead;
}

/** Lists with their blocks: the short lists of the same terms. */
export interface StoredLists {
  lists: readonly StoredList[];
  blocks: readonly StoredBlock[];
}

/** Removes dead ordinals. Lists without any stay unchanged, except that short ones move into blocks. */
export function compactLists({ lists, blocks }: StoredLists, dead: DeadOrdinals): ListChanges {
  const short: TermList[] = [];
  const ends: StoredList[] = [];
  const endsDeleted: number[] = [];
  const parts: (StoredPart & { term: number })[] = [];
  const partsDeleted: { term: number; firstOrdinal: number }[] = [];
  for (const list of lists) {
    const { term } = list;
    const compact = compactList(list, dead);
    if (!compact) endsDeleted.push(term);
    else if (isShort(compact)) {
      endsDeleted.push(term);
      short.push(compact);
    } else if (compact.df !== list.df || !isSame(compact, list)) ends.push(compact);
    const before = new Map(list.parts.map((part) => [part.firstOrdinal, part]));
    for (const part of compact?.parts ?? []) {
      const old = before.get(part.firstOrdinal);
      if (!old || !isSame(part, old)) parts.push({ ...part, term });
      before.delete(part.firstOrdinal);
    }
    partsDeleted.push(...Array.from(before.keys(), (firstOrdinal) => ({ term, firstOrdinal })));
  }
  const changed = changeBlocks(blocks, short, (ordinal) => isDead(dead, ordinal));
  return {
    ends: { ...columnsOf(ends), dfs: int4Array(ends.map(({ df }) => df)) },
    endsDeleted: { terms: int4Array(endsDeleted) },
    parts: columnsOf(parts),
    partsDeleted: {
      terms: int4Array(partsDeleted.map(({ term }) => term)),
      firstOrdinals: int4Array(partsDeleted.map(({ firstOrdinal }) => firstOrdinal)),
    },
    blocks: blockColumnsOf(changed.blocks),
    blocksDeleted: { firstTerms: int4Array(changed.deleted) },
    isEmpty: [ends, endsDeleted, parts, partsDeleted, changed.blocks, changed.deleted].every(
      ({ length }) => length === 0,
    ),
  };
}

function isShort({ parts, data }: StoredList): boolean {
  return parts.length === 0 && data.length <= LEAST_OWN_BYTES;
}

export function blockColumnsOf(blocks: readonly StoredBlock[]): ListChanges['blocks'] {
  return {
    firstTerms: int4Array(blocks.map(({ firstTerm }) => firstTerm)),
    data: byteaArray(blocks.map(({ data }) => data)),
  };
}

function columnsOf(
  rows: readonly (StoredPart & { term: number })[],
): Columns<'terms' | 'firstOrdinals' | 'data'> {
  return {
    terms: int4Array(rows.map(({ term }) => term)),
    firstOrdinals: int4Array(rows.map(({ firstOrdinal }) => firstOrdinal)),
    data: byteaArray(rows.map(({ data }) => data)),
  };
}

function isSame(one: StoredPart, other: StoredPart): boolean {
  return one.firstOrdinal === other.firstOrdinal && Buffer.compare(one.data, other.data) === 0;
}

/** A list without dead ordinals. Null: nothing is left. */
export function compactList(list: StoredList, dead: DeadOrdinals): StoredList | null {
  const parts: StoredPart[] = [];
  let df = 0;
  /** Postings after `parts` that are not written yet. */
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
  const end = write(pieces.at(-1) ?? []).length <= MAX_END_BYTES ? (pieces.pop() ?? []) : [];
  parts.push(...pieces.map(partOf));
  return { term: list.term, df, ...partOf(end), parts };
}

/** Postings that are not dead; ordinal and impact are one number. */
function read(data: Uint8Array, dead: DeadOrdinals): number[] {
  const postings: number[] = [];
  eachPosting(data, (ordinal, impact) => {
    if (!isDead(dead, ordinal)) postings.push(ordinal * IMPACTS + impact);
  });
  return postings;
}

function write(postings: readonly number[]): Buffer {
  const writer = new PostingWriter();
  for (const posting of postings) writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
  return writer.from(0);
}

function partOf(postings: readonly number[]): StoredPart {
  return {
    firstOrdinal: Math.floor((postings[0] ?? 0) / IMPACTS),
    data: write(postings),
  };
}

/** Splits postings into pieces that fill a part each, except the last. */
function split(postings: readonly number[]): number[][] {
  const pieces: number[][] = [];
  let writer = new PostingWriter();
  for (const posting of postings) {
    if (pieces.length === 0 || writer.length + MAX_POSTING_BYTES > MAX_PART_BYTES) {
      pieces.push([]);
      writer = new PostingWriter();
    }
    pieces.at(-1)?.push(posting);
    writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
  }
  return pieces;
}

export interface ListedItem {
  ordinal: number;
  text: string;
}

/** Postings to be appended to lists, in the order of terms: bytes can be transferred between threads without copying. */
export interface ListAddition {
  terms: Int32Array;
  /** Where in `data` the postings of each term end. */
  ends: Int32Array;
  data: Uint8Array;
}

/** Ordinal and impact in one number, ordinals ascending, by term. */
type PostingsByTerm = ReadonlyMap<number, readonly number[]>;

/**
 * The additions to lists by items in the order of their ordinals, at most `termsAtATime` lists each. `usualLength`: the
 * length that items are normalised by.
 */
export function buildLists(
  items: readonly ListedItem[],
  usualLength: number,
  termsAtATime: number,
): ListAddition[] {
  const postings = postingsOf(items, usualLength);
  // Always in the same order, or two batches would deadlock.
  const terms = [...postings.keys()].toSorted((one, other) => one - other);
  const additions: ListAddition[] = [];
  for (let at = 0; at < terms.length; at += termsAtATime)
    additions.push(additionOf(terms.slice(at, at + termsAtATime), postings));
  return additions;
}

function postingsOf(items: readonly ListedItem[], usualLength: number): PostingsByTerm {
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
}

function additionOf(terms: readonly number[], postings: PostingsByTerm): ListAddition {
  const writer = new PostingWriter();
  const ends = terms.map((term) => {
    writer.begin({ follows: true });
    for (const posting of postings.get(term) ?? [])
      writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
    return writer.length;
  });
  // A copy: what lies in a pool of Node's cannot be transferred.
  return {
    terms: Int32Array.from(terms),
    ends: Int32Array.from(ends),
    data: Uint8Array.from(writer.from(0)),
  };
}

export function listsOfAddition({ terms, ends, data }: ListAddition): TermList[] {
  return Array.from(terms, (term, place) => ({
    term,
    data: data.subarray(ends[place - 1] ?? 0, ends[place]),
  }));
}

/** Rows of lists that postings are appended to. */
export function endColumnsOf(lists: readonly TermList[]): ListChanges['ends'] {
  return {
    ...columnsOf(lists.map((list) => ({ ...list, firstOrdinal: firstOrdinalOf(list.data) }))),
    dfs: int4Array(lists.map(({ data }) => countPostings(data))),
  };
}
