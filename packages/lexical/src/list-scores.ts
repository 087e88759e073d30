import { IMPACTS, RESTART, saturationOf } from './postings.js';

export interface WeightedList {
  data: Uint8Array;
  weight: number;
  /** Ordinals from here on are ignored. */
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

/** `eachPosting`, inlined with bit shifts, because a search reads tens of thousands of postings. */
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

/** Keeps the `most` best things. Sorts at twice as many, so that many offers share the cost. */
export class TopK<Thing> {
  private kept: { thing: Thing; score: number }[] = [];
  private readonly most: number;
  /** Things must score higher than this to be kept. */
  least = Number.NEGATIVE_INFINITY;

  constructor(most: number) {
    this.most = most;
  }

  offer(thing: Thing, score: number): void {
    if (score <= this.least) return;
    this.kept.push({ thing, score });
    if (this.kept.length < 2 * this.most) return;
    this.kept = this.best();
    this.least = this.kept.at(-1)?.score ?? this.least;
  }

  /** The best first. */
  list(): Thing[] {
    return this.best().map(({ thing }) => thing);
  }

  private best(): { thing: Thing; score: number }[] {
    return this.kept.toSorted((one, other) => other.score - one.score).slice(0, this.most);
  }
}
