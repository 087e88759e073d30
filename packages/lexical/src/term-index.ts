/** Finds the index of a query's term. A search looks up thousands of terms. */
export class TermIndex {
  /** Indexes, from 1, by hash. Open addressing, so sparse that one look excludes most other terms. */
  private readonly slots: Int32Array;

  private readonly terms: Int32Array;

  constructor(terms: Int32Array) {
    this.terms = terms;
    const size = 2 ** Math.ceil(Math.log2(64 * terms.length + 64));
    const slots = new Int32Array(size);
    terms.forEach((term, place) => {
      let slot = term & (size - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
      slots[slot] = place + 1;
    });
    this.slots = slots;
  }

  /** -1: not a term of the query. For a repeated term, the first index. */
  placeOf(term: number): number {
    const { slots, terms } = this;
    const mask = slots.length - 1;
    for (let slot = term & mask; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] as number) - 1;
      if (place < 0 || terms[place] === term) return place;
    }
  }
}
