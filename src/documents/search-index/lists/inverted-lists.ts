import {
  countPostings,
  eachPosting,
  IMPACTS,
  MOST_POSTING_BYTES,
  PostingWriter,
  impactOf,
  saturation,
  TermVector,
} from '@palabre/lexical';

/** A list's end that grows beyond this becomes a part. Every batch rewrites the end, so it is kept short. */
export const MOST_END_BYTES = 600;

/** Four rows of this size fill a page of PostgreSQL. */
export const MOST_PART_BYTES = 1960;

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

/** Changes to lists. */
export interface ListChanges {
  ends: Columns<'terms' | 'dfs' | 'firstOrdinals' | 'data'>;
  endsDeleted: Columns<'terms'>;
  parts: Columns<'terms' | 'firstOrdinals' | 'data'>;
  partsDeleted: Columns<'terms' | 'firstOrdinals'>;
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
    for (let ordinal = from; ordinal <= to; ordinal += 1) {
      dead[ordinal >> 3] = (dead[ordinal >> 3] ?? 0) | (1 << (ordinal & 7));
    }
  }
  return dead;
}

/** Removes dead ordinals from lists. Lists and parts without any stay unchanged. */
export function compactLists(lists: readonly StoredList[], dead: DeadOrdinals): ListChanges {
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

/** A list without dead ordinals; null: nothing is left of it. */
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
  const end = write(pieces.at(-1) ?? []).length <= MOST_END_BYTES ? (pieces.pop() ?? []) : [];
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
    if (pieces.length === 0 || writer.length + MOST_POSTING_BYTES > MOST_PART_BYTES) {
      pieces.push([]);
      writer = new PostingWriter();
    }
    pieces.at(-1)?.push(posting);
    writer.add(Math.floor(posting / IMPACTS), posting % IMPACTS);
  }
  return pieces;
}

/** An item to be added to the lists. */
export interface ListedItem {
  ordinal: number;
  text: string;
}

/** What one statement appends to lists, in the order of terms: arrays in PostgreSQL's binary format. */
export interface ListAddition {
  /** The number of lists. */
  count: number;
  terms: Uint8Array;
  dfs: Uint8Array;
  firstOrdinals: Uint8Array;
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
  for (let at = 0; at < terms.length; at += termsAtATime) {
    additions.push(additionOf(terms.slice(at, at + termsAtATime), postings));
  }
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
}

/**
 * Arrays in PostgreSQL's binary format (src/backend/utils/adt/arrayfuncs.c, array_send), which the driver sends unchanged.
 * As text they would take several times as long, and bytes can be transferred between threads without copying.
 */
const HEADER_BYTES = 20;
const INT4 = 23;
const BYTEA = 17;

function writeHeader(bytes: Buffer, type: number, count: number): void {
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // nulls: none
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(count, 12);
  bytes.writeInt32BE(1, 16); // of the first element
}

export function int4Array(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + values.length * 8);
  writeHeader(bytes, INT4, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(4, at);
    bytes.writeInt32BE(value, at + 4);
    at += 8;
  }
  return bytes;
}

export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const length = values.reduce((sum, value) => sum + 4 + value.length, 0);
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + length);
  writeHeader(bytes, BYTEA, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(value.length, at);
    bytes.set(value, at + 4);
    at += 4 + value.length;
  }
  return bytes;
}
