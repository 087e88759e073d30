import type { Counted } from './bm25.js';
import { hashOf } from './term-hash.js';
import type { TermIndex } from './term-index.js';
import { eachTerm } from './terms.js';

/** Where terms are collected, again and again. */
let hashes = new Int32Array(4096);
let counts = new Uint16Array(4096);

const append = (at: number, term: number): void => {
  if (at === hashes.length) {
    const larger = new Int32Array(hashes.length * 2);
    larger.set(hashes);
    hashes = larger;
    counts = new Uint16Array(larger.length);
  }
  hashes[at] = term;
};

/** How often each term is in a text, by its hash: a fiftieth of the memory that a map takes. */
export class TermVector implements Counted<number> {
  /** In ascending order, each once. */
  readonly terms: Int32Array;
  readonly length: number;
  private readonly counts: Uint16Array;

  // Written out: a thread runs this from the sources, where Node takes types away and makes no code of them.
  private constructor(terms: Int32Array, counts: Uint16Array, length: number) {
    this.terms = terms;
    this.counts = counts;
    this.length = length;
  }

  static of(text: string): TermVector {
    return TermVector.make(text, true);
  }

  /** Without whole words, which count for the length alone. */
  static gramsOf(text: string): TermVector {
    return TermVector.make(text, false);
  }

  private static make(text: string, hasWords: boolean): TermVector {
    let length = 0;
    let kept = 0;
    eachTerm(text, (source, start, end, isWord) => {
      length += 1;
      if (isWord && !hasWords) return;
      append(kept, hashOf(source, start, end, isWord));
      kept += 1;
    });
    // Sorted where it lies: what is kept of it is copied.
    // oxlint-disable-next-line unicorn/no-array-sort
    const all = hashes.subarray(0, kept).sort();
    let distinct = 0;
    for (let at = 0; at < kept; at += 1) {
      const term = all[at] as number;
      if (distinct > 0 && all[distinct - 1] === term) {
        counts[distinct - 1] = Math.min(0xffff, (counts[distinct - 1] as number) + 1);
      } else {
        all[distinct] = term;
        counts[distinct] = 1;
        distinct += 1;
      }
    }
    return new TermVector(all.slice(0, distinct), counts.slice(0, distinct), length);
  }

  count(term: number): number {
    const { terms } = this;
    let low = 0;
    let high = terms.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = terms[middle] as number;
      if (found === term) return this.counts[middle] ?? 0;
      if (found < term) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  }

  /** Puts in, by place, how often those terms are there that `index` has. */
  countInto(places: Uint16Array, index: TermIndex): void {
    const { terms, counts } = this;
    for (let at = 0; at < terms.length; at += 1) {
      const place = index.placeOf(terms[at] as number);
      if (place >= 0) places[place] = counts[at] as number;
    }
  }

  each(visit: (term: number, count: number) => void): void {
    this.terms.forEach((term, at) => visit(term, this.counts[at] ?? 0));
  }

  /** In memory, about. */
  get bytes(): number {
    return this.terms.length * 6 + 200;
  }
}
