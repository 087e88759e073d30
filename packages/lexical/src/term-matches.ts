import { gain } from './bm25.js';
import { hashOfTerm } from './term-hash.js';
import { TermIndex } from './term-index.js';
import type { TermVector } from './term-vector.js';

/** The matches of a text are those from `start` to `end`. */
interface Row {
  start: number;
  end: number;
  /** In terms. */
  length: number;
}

const PLACE_BITS = 16;
const MAX_COUNT = 2 ** PLACE_BITS - 1;

/** Counts once how often the query's terms occur in texts, for the weights of the terms and for the scores. */
export class TermMatches {
  /** The term's index, and its count in the lower half. Each text's matches are in the order of the indexes. */
  private matches = new Int32Array(1024);
  private end = 0;
  private readonly rows: Row[] = [];
  private readonly terms: readonly string[];
  private readonly index: TermIndex;
  private readonly dfs: Int32Array;
  private readonly counts: Uint16Array;

  /** `terms`: from `termsOf`. */
  constructor(terms: readonly string[]) {
    this.terms = terms;
    this.index = new TermIndex(Int32Array.from(terms, hashOfTerm));
    this.dfs = new Int32Array(terms.length);
    this.counts = new Uint16Array(terms.length);
  }

  /** Returns the text's row. */
  add(vector: TermVector): number {
    const { counts } = this;
    const start = this.end;
    vector.countInto(counts, this.index);
    this.makeRoom(start + counts.length);
    for (let place = 0; place < counts.length; place += 1) {
      const count = counts[place] as number;
      if (count === 0) continue;
      counts[place] = 0;
      this.matches[this.end] = (place << PLACE_BITS) | count;
      this.end += 1;
      this.dfs[place] = (this.dfs[place] as number) + 1;
    }
    return this.rows.push({ start, end: this.end, length: vector.length }) - 1;
  }

  /** The number of texts so far with the term that has this hash. */
  df(term: number): number {
    return this.dfs[this.index.placeOf(term)] ?? 0;
  }

  termsOf(row: number): Set<string> {
    const { start, end } = this.rows[row] ?? { start: 0, end: 0 };
    const terms = new Set<string>();
    for (let at = start; at < end; at += 1)
      terms.add(this.terms[(this.matches[at] as number) >> PLACE_BITS] as string);
    return terms;
  }

  /** The weights in the form that `score` takes. */
  weightsOf(idf: ReadonlyMap<string, number>): Float64Array {
    return Float64Array.from(this.terms, (term) => idf.get(term) ?? 0);
  }

  /** The BM25 score. 0: the text shares no term with the query. */
  score(row: number, weights: Float64Array, averageLength: number): number {
    const { start, end, length } = this.rows[row] ?? { start: 0, end: 0, length: 0 };
    let score = 0;
    for (let at = start; at < end; at += 1) {
      const match = this.matches[at] as number;
      score += gain(weights[match >> PLACE_BITS] as number, match & MAX_COUNT, length, averageLength);
    }
    return score;
  }

  private makeRoom(count: number): void {
    if (count <= this.matches.length) return;
    const larger = new Int32Array(2 * count);
    larger.set(this.matches);
    this.matches = larger;
  }
}
