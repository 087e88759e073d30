import fc from 'fast-check';
import { PostingWriter, saturationOf } from './postings.js';

import { TopK, eachScore } from './list-scores.js';

const MILLION = 2 ** 20;
const ordinal = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: 3 * MILLION }),
  // Written in five bytes.
  fc.integer({ min: 64 * MILLION, max: 65 * MILLION }),
);
const list = fc.record({
  postings: fc.uniqueArray(fc.tuple(ordinal, fc.integer({ min: 0, max: 7 })), {
    selector: ([ordinal]) => ordinal,
    maxLength: 60,
  }),
  weight: fc.double({ min: 0.1, max: 9, noNaN: true }),
  until: fc.constantFrom(1, 30, MILLION, MILLION + 1, 4 * MILLION, 65 * MILLION),
});

it('scores are added up by item, up to where each list counts', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 8 }), (lists) => {
      const expected = new Map<number, number>();
      const written = lists.map(({ postings, weight, until }) => {
        const writer = new PostingWriter();
        writer.begin({ follows: true });
        for (const [ordinal, impact] of postings.toSorted(([one], [other]) => one - other)) {
          writer.add(ordinal, impact);
          if (ordinal >= until) continue;
          expected.set(ordinal, (expected.get(ordinal) ?? 0) + weight * saturationOf(impact));
        }
        return { data: writer.from(0), weight, until };
      });
      const told: [ordinal: number, score: number][] = [];
      eachScore(written, (ordinal, score) => told.push([ordinal, score]));
      expect(told.map(([ordinal]) => ordinal).toSorted((a, b) => a - b)).toEqual(
        [...expected.keys()].toSorted((a, b) => a - b),
      );
      for (const [ordinal, score] of told) expect(score).toBeCloseTo(expected.get(ordinal) ?? 0, 3);
    }),
  );
});

it('the best are kept, the best first', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer(), { maxLength: 100 }),
      fc.integer({ min: 1, max: 20 }),
      (all, most) => {
        const best = new TopK<number>(most);
        for (const score of all) best.offer(score, score);
        expect(best.list()).toEqual(all.toSorted((a, b) => b - a).slice(0, most));
      },
    ),
  );
});
