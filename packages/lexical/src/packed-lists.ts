import { BitReader, BitWriter } from './bits.js';
import { eachPosting, PostingWriter } from './postings.js';

/** A term, as its hash, and its list in the format of PostingWriter. */
export interface TermList {
  term: number;
  data: Uint8Array;
}

/** The number of bits for the width of a number up to 2^31. */
const WIDTH_BITS = 5;
const IMPACT_BITS = 3;

/**
 * Packs lists of a few postings in less than two thirds of their bytes. Hashes of terms and ordinals of items are
 * spread at random, so Golomb-Rice codes suit their distances. Most postings have the same impact, and most lists
 * have only one.
 */
export function packLists(firstTerm: number, lists: readonly TermList[]): Buffer {
  const all = lists.map(postingsOf);
  const out = new BitWriter();
  const last = lists.at(-1)?.term ?? firstTerm;
  const termShift = shiftOf(last - firstTerm, lists.length);
  const width = Math.max(0, ...all.map(({ ordinals }) => widthOf(ordinals[0] ?? 0)));
  const usual = mostFrequentImpact(all);
  out.count(lists.length + 1);
  out.write(termShift, WIDTH_BITS);
  out.write(width, WIDTH_BITS);
  out.write(usual, IMPACT_BITS);
  let before = firstTerm;
  lists.forEach(({ term }, place) => {
    out.rice(term - before, termShift);
    before = term;
    const { ordinals, impacts } = all[place] ?? { ordinals: [], impacts: [] };
    packPostings(out, { ordinals, impacts, width, usual });
  });
  return out.take();
}

interface Postings {
  ordinals: readonly number[];
  impacts: readonly number[];
}

function postingsOf({ data }: TermList): Postings {
  const ordinals: number[] = [];
  const impacts: number[] = [];
  eachPosting(data, (ordinal, impact) => {
    // Ordinals begin at 1 and are unique in a list. The code cannot express a repeated one.
    if (ordinal <= (ordinals.at(-1) ?? 0)) return;
    ordinals.push(ordinal);
    impacts.push(impact);
  });
  return { ordinals, impacts };
}

function packPostings(
  out: BitWriter,
  { ordinals, impacts, width, usual }: Postings & { width: number; usual: number },
): void {
  const [first = 0] = ordinals;
  const shift = shiftOf((ordinals.at(-1) ?? 0) - first, ordinals.length - 1);
  const isUsual = impacts.every((impact) => impact === usual);
  out.count(ordinals.length);
  out.write(isUsual ? 1 : 0, 1);
  if (ordinals.length > 1) out.write(shift, WIDTH_BITS);
  ordinals.forEach((ordinal, place) => {
    if (place === 0) out.write(ordinal, width);
    else out.rice(ordinal - (ordinals[place - 1] ?? 0) - 1, shift);
    if (isUsual) return;
    out.write(impacts[place] === usual ? 1 : 0, 1);
    if (impacts[place] !== usual) out.write(impacts[place] ?? 0, IMPACT_BITS);
  });
}

/** Visits a term. `read` gives its list, and may only be called during the visit. Returns false to stop. */
export type VisitList = (term: number, read: () => Uint8Array) => boolean;

/** Visits the lists that `packLists` has packed, in order. */
export function eachPackedList(firstTerm: number, data: Uint8Array, visit: VisitList): void {
  const from = new BitReader(data);
  const lists = from.count() - 1;
  const termShift = from.read(WIDTH_BITS);
  const width = from.read(WIDTH_BITS);
  const usual = from.read(IMPACT_BITS);
  const writer = new PostingWriter();
  const add = (ordinal: number, impact: number): void => writer.add(ordinal, impact);
  let isRead = false;
  const read = (): Uint8Array => {
    isRead = true;
    const start = writer.length;
    writer.begin({ follows: false });
    eachPacked(from, width, usual, add);
    return writer.from(start);
  };
  let term = firstTerm;
  for (let place = 0; place < lists; place += 1) {
    term += from.rice(termShift);
    isRead = false;
    if (!visit(term, read)) return;
    if (!isRead) skipPacked(from, width);
  }
}

function eachPacked(
  from: BitReader,
  width: number,
  usual: number,
  visit: (ordinal: number, impact: number) => void,
): void {
  const count = from.count();
  const isUsual = from.read(1) === 1;
  const shift = count > 1 ? from.read(WIDTH_BITS) : 0;
  let ordinal = 0;
  for (let place = 0; place < count; place += 1) {
    ordinal += place === 0 ? from.read(width) : from.rice(shift) + 1;
    const impact = isUsual || from.read(1) === 1 ? usual : from.read(IMPACT_BITS);
    visit(ordinal, impact);
  }
}

/** Skips a list: most lists of a block are not asked for. */
function skipPacked(from: BitReader, width: number): void {
  const count = from.count();
  const isUsual = from.read(1) === 1;
  const shift = count > 1 ? from.read(WIDTH_BITS) : 0;
  for (let place = 0; place < count; place += 1) {
    if (place === 0) from.skip(width);
    else from.skipRice(shift);
    if (!isUsual && from.read(1) === 0) from.skip(IMPACT_BITS);
  }
}

/** The parameter of Rice's code for `count` distances with this `sum`: about the binary logarithm of their median. */
function shiftOf(sum: number, count: number): number {
  return Math.max(0, Math.floor(Math.log2((Math.LN2 * sum) / Math.max(1, count) + 1e-9)));
}

function widthOf(value: number): number {
  return 32 - Math.clz32(value);
}

function mostFrequentImpact(lists: readonly Postings[]): number {
  const counts = Array.from({ length: 2 ** IMPACT_BITS }, () => 0);
  for (const { impacts } of lists) {
    for (const impact of impacts) counts[impact] = (counts[impact] ?? 0) + 1;
  }
  return counts.indexOf(Math.max(...counts));
}
