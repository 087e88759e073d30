import { TermCounter } from './term-counter.js';
import { hashOf } from './term-hash.js';
import type { TermIndex } from './term-index.js';
import { eachTerm } from './terms.js';

const counter = new TermCounter();

/** How often each term is in a text, by its hash: a fiftieth of the memory that a map takes. */
export class TermVector {
  /** Each once, in no order. */
  readonly terms: Int32Array;
  /** In terms. */
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
    eachTerm(text, (source, start, end, isWord) => {
      length += 1;
      if (!isWord || hasWords) counter.add(hashOf(source, start, end, isWord));
    });
    const { terms, counts } = counter.take();
    return new TermVector(terms, counts, length);
  }

  /** 0: it is not there. Goes through all of them: a search asks for many at once, by `countInto`. */
  count(term: number): number {
    return this.counts[this.terms.indexOf(term)] ?? 0;
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
