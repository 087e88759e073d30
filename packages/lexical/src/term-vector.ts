import { TermCounter } from './term-counter.js';
import { hashOf } from './term-hash.js';
import type { TermIndex } from './term-index.js';
import { eachTerm } from './terms.js';

const counter = new TermCounter();

/** The count of each term in a text, by hash. It takes a fiftieth of a Map's memory. */
export class TermVector {
  /** Each term once, in no order. */
  readonly terms: Int32Array;
  /** In terms. */
  readonly length: number;
  private readonly counts: Uint16Array;

  // No parameter properties: a thread runs this source, and Node only strips types.
  private constructor(terms: Int32Array, counts: Uint16Array, length: number) {
    this.terms = terms;
    this.counts = counts;
    this.length = length;
  }

  static of(text: string): TermVector {
    return TermVector.make(text, true);
  }

  /** Without whole words, which count in the length only. */
  static gramsOf(text: string): TermVector {
    return TermVector.make(text, false);
  }

  private static make(text: string, hasWords: boolean): TermVector {
    let length = 0;
    eachTerm(text, (source, start, end, isWord) => {
      length += 1;
      if (!isWord || hasWords) counter.add(hashOf(source, start, end, isWord));
    });
    const { terms, counts } = counter.take();
    return new TermVector(terms, counts, length);
  }

  /** 0: absent. A linear search; `countInto` looks up many terms at once. */
  count(term: number): number {
    return this.counts[this.terms.indexOf(term)] ?? 0;
  }

  /** Writes the counts of the terms in `index` into `places`. */
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

  /** The approximate size in memory. */
  get bytes(): number {
    return this.terms.length * 6 + 200;
  }
}
