/** Tells the places of a query's terms: thousands of terms are looked up in it for a search. */
export class TermIndex {
  /** Places, from 1, by hashes; open addressing, so empty that most other terms are known by one look. */
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

  /** -1: it is none of them. Of a term that is there twice, the first. */
  placeOf(term: number): number {
    const { slots, terms } = this;
    const mask = slots.length - 1;
    for (let slot = term & mask; ; slot = (slot + 1) & mask) {
      const place = (slots[slot] as number) - 1;
      if (place < 0 || terms[place] === term) return place;
    }
  }
}
