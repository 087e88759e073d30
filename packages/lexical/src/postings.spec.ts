import fc from 'fast-check';

import {
  countPostings,
  eachPosting,
  impactOf,
  IMPACTS,
  MAX_POSTING_BYTES,
  PostingWriter,
  saturationOf,
} from './postings.js';

type Posting = [ordinal: number, impact: number];

const impact = fc.integer({ min: 0, max: IMPACTS - 1 });
const list = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })), {
    minLength: 1,
    maxLength: 200,
  })
  .chain((ordinals) =>
    fc
      .array(impact, { minLength: ordinals.length, maxLength: ordinals.length })
      .map((impacts) =>
        ordinals.toSorted((a, b) => a - b).map((ordinal, index): Posting => [ordinal, impacts[index] ?? 0]),
      ),
  );

function write(postings: readonly Posting[], follows = false): Buffer {
  const writer = new PostingWriter();
  writer.begin({ follows });
  for (const [ordinal, impact] of postings) writer.add(ordinal, impact);
  return writer.from(0);
}

function read(data: Uint8Array): Posting[] {
  const postings: Posting[] = [];
  eachPosting(data, (ordinal, impact) => postings.push([ordinal, impact]));
  return postings;
}

describe('a list', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(list, (postings) => {
        const data = write(postings);
        expect(read(data)).toEqual(postings);
        expect(countPostings(data)).toBe(postings.length);
        expect(data.length).toBeLessThanOrEqual(postings.length * MAX_POSTING_BYTES);
      }),
    );
  });

  it('goes on in what is appended to it', () => {
    fc.assert(
      fc.property(list, list, list, (one, two, three) => {
        const data = Buffer.concat([write(one, true), write(two, true), write(three, true)]);
        expect(read(data)).toEqual([...one, ...two, ...three]);
      }),
    );
  });

  it('takes a byte for an item that is near the one before', () => {
    expect(write(Array.from({ length: 100 }, (_, index): Posting => [index * 15 + 1, 3]))).toHaveLength(100);
  });

  it('of nothing is empty', () => expect(read(Buffer.alloc(0))).toEqual([]));
});

it('an impact keeps how much an item says, to a sixteenth', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (saturation) => {
      expect(Math.abs(saturationOf(impactOf(saturation)) - saturation)).toBeLessThanOrEqual(1 / 16 + 1e-9);
    }),
  );
});
