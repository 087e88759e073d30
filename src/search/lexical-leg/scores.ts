import { RESTART, saturationOf, IMPACTS } from '../lexical/postings.js';

/** A list, or a part of one, and how much its term weighs. */
export interface WeightedList {
  data: Uint8Array;
  weight: number;
  /** Items from this ordinal on are not counted. */
  until: number;
}

/** A million ordinals at a time, in memory that is used again and again: four megabytes, all zero between two uses. */
const WINDOW = 2 ** 20;
const sums = new Float32Array(WINDOW);
let touched = new Int32Array(2 ** 14);

const IMPACT_BITS = Math.log2(IMPACTS);
const GAINS = Float64Array.from({ length: IMPACTS }, (_, impact) => saturationOf(impact));

/** Tells what the lists say of their items, added up by item, in no order. `visit` must not ask for others. */
export const eachScore = (
  lists: readonly WeightedList[],
  visit: (ordinal: number, score: number) => void,
): void => {
  const last = lists.reduce((most, { until }) => Math.max(most, until), 0);
  for (let from = 0; from < last; from += WINDOW) {
    let count = 0;
    for (const list of lists) if (list.until > from) count = addList(list, from, count);
    for (let at = 0; at < count; at += 1) {
      const ordinal = touched[at] as number;
      visit(ordinal, sums[ordinal - from] as number);
      sums[ordinal - from] = 0;
    }
  }
};

/** The same as `eachPosting`, written out and by shifts: a search goes through tens of thousands of postings. */
const addList = ({ data, weight, until }: WeightedList, from: number, before: number): number => {
  const end = Math.min(until, from + WINDOW);
  const { length } = data;
  let count = before;
  makeRoom(count + length);
  let ordinal = 0;
  for (let at = 0; at < length;) {
    let value = data[at++] as number;
    if (value === RESTART) {
      ordinal = 0;
      continue;
    }
    let more = 0;
    if (value >= 0x80) {
      value &= 0x7f;
      let byte = 0x80;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = data[at++] as number;
        // The fifth byte is beyond what a shift can reach.
        if (shift < 28) value |= (byte & 0x7f) << shift;
        else more = byte << (28 - IMPACT_BITS);
      }
    }
    ordinal += (value >> IMPACT_BITS) + more;
    if (ordinal >= end) break;
    if (ordinal < from) continue;
    const sum = sums[ordinal - from] as number;
    if (sum === 0) {
      touched[count] = ordinal;
      count += 1;
    }
    sums[ordinal - from] = sum + weight * (GAINS[value & (IMPACTS - 1)] as number);
  }
  return count;
};

const makeRoom = (count: number): void => {
  if (count <= touched.length) return;
  const larger = new Int32Array(2 ** Math.ceil(Math.log2(count)));
  larger.set(touched);
  touched = larger;
};
