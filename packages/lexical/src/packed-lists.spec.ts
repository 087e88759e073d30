import fc from 'fast-check';

import { eachPackedList, packLists, type TermList } from './packed-lists.js';
import { PostingWriter } from './postings.js';

const ordinals = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 60 }),
  // A document's passages, far from all others.
  fc.integer({ min: 2, max: 2 ** 31 - 100 }).map((from) => [1, from, from + 1, from + 2]),
  fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 20 }),
);
const impacts = fc.array(fc.oneof({ weight: 9, arbitrary: fc.constant(3) }, fc.nat({ max: 7 })), {
  minLength: 1,
});
const terms = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: -50, max: 50 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);
const lists = fc
  .uniqueArray(fc.tuple(terms, ordinals, impacts), { selector: ([term]) => term, maxLength: 80 })
  .map((all) =>
    all.toSorted(([one], [other]) => one - other).map(([term, own, each]) => listOf(term, own, each)),
  );

function listOf(term: number, own: readonly number[], each: readonly number[]): TermList {
  const writer = new PostingWriter();
  writer.begin({ follows: false });
  own
    .toSorted((one, other) => one - other)
    .forEach((ordinal, place) => writer.add(ordinal, each[place % each.length] ?? 0));
  return { term, data: writer.from(0) };
}

/** Without the skipped lists. */
function unpack(firstTerm: number, data: Uint8Array, isRead: (term: number) => boolean): TermList[] {
  const found: TermList[] = [];
  eachPackedList(firstTerm, data, (term, read) => {
    if (isRead(term)) found.push({ term, data: read() });
    return true;
  });
  return found;
}

it('lists are as they were before they were packed, also where others are passed over', () => {
  fc.assert(
    fc.property(lists, fc.nat({ max: 1000 }), (all, before) => {
      const firstTerm = Math.max(-(2 ** 31), (all[0]?.term ?? 0) - before);
      const data = packLists(firstTerm, all);
      expect(unpack(firstTerm, data, () => true)).toEqual(all);
      expect(unpack(firstTerm, data, (term) => term % 2 === 0)).toEqual(
        all.filter(({ term }) => term % 2 === 0),
      );
    }),
  );
});

it('nothing is told after it was enough', () => {
  const all = [1, 5, 9].map((term) => listOf(term, [term], [3]));
  const told: number[] = [];
  eachPackedList(0, packLists(0, all), (term) => told.push(term) < 2);
  expect(told).toEqual([1, 5]);
});

it('lists of a few postings take less than two thirds of their bytes', () => {
  const all = Array.from({ length: 100 }, (_, term) =>
    listOf(
      term * 90_000,
      Array.from({ length: 12 }, (_, place) => 1 + term + place * 240),
      [3],
    ),
  );
  const bytes = all.reduce((sum, { data }) => sum + 4 + data.length, 0);
  expect(packLists(0, all).length).toBeLessThan((2 / 3) * bytes);
});

it('an item that is in a list twice is in it once', () => {
  const { data } = listOf(7, [4, 4, 9], [3]);
  expect(unpack(0, packLists(0, [{ term: 7, data }]), () => true)).toEqual([listOf(7, [4, 9], [3])]);
});

it('what is cut off is noticed', () => {
  const data = packLists(0, [listOf(7, [4000], [3])]);
  expect(() => unpack(0, data.subarray(0, 1), () => true)).toThrow(RangeError);
});
