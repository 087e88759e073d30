import { IMPACTS, RESTART, saturationOf } from './postings.js';

/** A list, or a part of one, with the weight of its term. */
export interface WeightedList {
  data: Uint8Array;
  weight: number;
  /** Items from this ordinal on are ignored. */
  until: number;
}

/** Scores are summed in windows of a million ordinals, in a reused array of four megabytes that is zero between uses. */
const WINDOW = 2 ** 20;
const sums = new Float32Array(WINDOW);
let touched = new Int32Array(2 ** 14);

const IMPACT_BITS = Math.log2(IMPACTS);
const GAINS = Float64Array.from({ length: IMPACTS }, (_, impact) => saturationOf(impact));

/** Calls `visit` with the summed score of every item in the lists, in no order. `visit` must not call this again. */
export function eachScore(
  lists: readonly WeightedList[],
  visit: (ordinal: number, score: number) => void,
): void {
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
}

/** `eachPosting`, inlined with bit shifts: a search goes through tens of thousands of postings. */
function addList({ data, weight, until }: WeightedList, from: number, before: number): number {
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
        // The fifth byte exceeds 32 bits.
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
}

function makeRoom(count: number): void {
  if (count <= touched.length) return;
  const larger = new Int32Array(2 ** Math.ceil(Math.log2(count)));
  larger.set(touched);
  touched = larger;
}

/** Keeps the `most` best things: a heap with the worst on top. */
export class TopK<Thing> {
  private readonly heap: { thing: Thing; score: number }[] = [];

  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** Things must score higher than this to be kept. */
  least = Number.NEGATIVE_INFINITY;

  offer(thing: Thing, score: number): void {
    if (score <= this.least) return;
    if (this.heap.length < this.most) {
      this.heap.push({ thing, score });
      this.rise(this.heap.length - 1);
    } else {
      this.heap[0] = { thing, score };
      this.sink(0);
    }
    if (this.heap.length === this.most) this.least = this.scoreAt(0);
  }

  /** The best first. */
  list(): Thing[] {
    return this.heap.toSorted((one, other) => other.score - one.score).map(({ thing }) => thing);
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.scoreAt(parent) <= this.scoreAt(at)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      const smaller = this.scoreAt(left + 1) < this.scoreAt(left) ? left + 1 : left;
      if (this.scoreAt(at) <= this.scoreAt(smaller)) return;
      this.swap(at, smaller);
      at = smaller;
    }
  }

  private scoreAt(at: number): number {
    return this.heap[at]?.score ?? Number.POSITIVE_INFINITY;
  }

  private swap(one: number, other: number): void {
    const [first, second] = [this.heap[one], this.heap[other]];
    if (first && second) [this.heap[one], this.heap[other]] = [second, first];
  }
}
