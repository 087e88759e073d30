import fc from 'fast-check';

import { TermCounter } from './term-counter.js';

function counted(counter: TermCounter): [term: number, count: number][] {
  const { terms, counts } = counter.take();
  return Array.from(terms, (term, place) => [term, counts[place] ?? 0]);
}

it('gives each term as often as it was there, one text after the other', () => {
  const counter = new TermCounter();
  const text = fc.array(fc.oneof(fc.integer(), fc.integer({ min: -3, max: 3 })), { maxLength: 300 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      for (const terms of texts) {
        const expected = new Map<number, number>();
        for (const term of terms) {
          counter.add(term);
          expected.set(term, (expected.get(term) ?? 0) + 1);
        }
        expect(counted(counter)).toEqual([...expected]);
      }
    }),
  );
});

it('has room for a long text, and forgets it', () => {
  const counter = new TermCounter();
  const terms = Array.from({ length: 20_000 }, (_, term) => term << 13);
  for (const term of [...terms, ...terms]) counter.add(term);
  expect(counted(counter)).toEqual(terms.map((term) => [term, 2]));
  counter.add(1 << 13);
  expect(counted(counter)).toEqual([[1 << 13, 1]]);
});

it('counts no further than can be kept', () => {
  const counter = new TermCounter();
  for (let time = 0; time < 70_000; time += 1) counter.add(7);
  expect(counted(counter)).toEqual([[7, 65_535]]);
});
