import fc from 'fast-check';
import { changeBlocks, eachPosting, findInBlock, LEAST_OWN_BYTES, PostingWriter } from '@palabre/lexical';

import {
  compactList,
  compactLists,
  deadOf,
  isDead,
  MAX_END_BYTES,
  MAX_PART_BYTES,
  type StoredList,
  type StoredPart,
} from './inverted-lists.js';
import { byteaArray, int4Array } from './postgres-arrays.js';

function write(ordinals: readonly number[]): Buffer {
  const writer = new PostingWriter();
  writer.begin({ follows: true });
  for (const ordinal of ordinals) writer.add(ordinal, ordinal % 8);
  return writer.from(0);
}

function readAll(parts: readonly StoredPart[]): number[] {
  const ordinals: number[] = [];
  for (const { data } of parts) eachPosting(data, (ordinal) => ordinals.push(ordinal));
  return ordinals;
}
function ordinalsOf(list: StoredList | null): number[] {
  return list ? readAll([...list.parts, list]) : [];
}

/** A list as batches leave it: each is appended to the end, which becomes a part when it is too long. */
function listOf(batches: readonly (readonly number[])[]): StoredList {
  const parts: StoredPart[] = [];
  let end: (readonly number[])[] = [];
  const endOf = (): StoredPart => ({
    firstOrdinal: end[0]?.[0] ?? 0,
    data: Buffer.concat(end.map((batch) => write(batch))),
  });
  for (const batch of batches) {
    end.push(batch);
    if (endOf().data.length <= MAX_END_BYTES) continue;
    parts.push(endOf());
    end = [];
  }
  return { term: 7, df: batches.flat().length, ...endOf(), parts };
}

const batches = fc
  .array(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 500 }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((steps) => {
    let ordinal = 0;
    return steps.map((batch) => batch.map((step) => (ordinal += step)));
  });

/** A random share of all batches. */
const gone = fc.record({ share: fc.constantFrom(0, 0.01, 0.5, 0.99, 1), seed: fc.integer() });

function deadIn(all: readonly (readonly number[])[], { share, seed }: { share: number; seed: number }) {
  const ordinals = all.flat();
  const isGone = (ordinal: number): boolean =>
    (Math.imul(ordinal ^ seed, 0x9e3779b1) >>> 0) / 2 ** 32 < share;
  const ranges = ordinals.filter(isGone).map((ordinal) => ({ from: ordinal, to: ordinal }));
  return {
    left: ordinals.filter((ordinal) => !isGone(ordinal)),
    dead: deadOf((ordinals.at(-1) ?? 0) + 1, ranges),
  };
}

describe('a compact list', () => {
  it('has what is left, in order, in parts that begin where they say', () => {
    fc.assert(
      fc.property(batches, gone, (all, lot) => {
        const { left, dead } = deadIn(all, lot);
        const compact = compactList(listOf(all), dead);
        expect(ordinalsOf(compact)).toEqual(left);
        expect(compact?.df ?? 0).toBe(left.length);
        expect(compact === null).toBe(left.length === 0);
        expect(compact?.data.length ?? 0).toBeLessThanOrEqual(MAX_END_BYTES);
        for (const part of compact?.parts ?? []) {
          expect(readAll([part])[0]).toBe(part.firstOrdinal);
          expect(part.data.length).toBeLessThanOrEqual(MAX_PART_BYTES);
        }
      }),
    );
  });

  it('comes to rest: compacting it again and again changes nothing', () => {
    fc.assert(
      fc.property(batches, gone, (all, lot) => {
        const { left, dead } = deadIn(all, lot);
        fc.pre(left.length > 0);
        let list = compactList(listOf(all), dead);
        fc.pre(list !== null && (list.parts.length > 0 || list.data.length > LEAST_OWN_BYTES));
        for (let times = 0; times < 3 && list; times += 1) list = compactList(list, dead);
        expect(compactLists({ lists: [list!], blocks: [] }, dead).isEmpty).toBe(true);
      }),
    );
  });

  it('goes into a block where it is short, whether or not anything is gone from it', () => {
    const list = listOf([[3, 9], [12]]);
    const changes = compactLists({ lists: [list], blocks: [] }, deadOf(20, []));
    expect(changes.endsDeleted.terms).toEqual(int4Array([7]));
    expect(changes.ends.terms).toEqual(int4Array([]));
    const [block = { firstTerm: 0, data: new Uint8Array() }] = changeBlocks([], [list]).blocks;
    expect(changes.blocks).toEqual({
      firstTerms: int4Array([block.firstTerm]),
      data: byteaArray([block.data]),
    });
    expect(readAll([{ firstOrdinal: 3, data: findInBlock(block, 7)! }])).toEqual([3, 9, 12]);
  });

  it('leaves parts alone that nothing is gone from', () => {
    const all = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 400 }, (_, index) => batch * 400 + index + 1),
    );
    const compact = compactList(listOf(all), deadOf(16_001, []))!;
    const again = compactList(compact, deadOf(16_001, [{ from: 9_000, to: 9_000 }]))!;
    expect(compact.parts.length).toBeGreaterThan(6);
    const before = new Set(compact.parts);
    expect(again.parts.filter((part) => !before.has(part))).toHaveLength(1);
    expect(again.df).toBe(15_999);
  });
});

it('ordinals are dead within the ranges alone', () => {
  const dead = deadOf(20, [
    { from: 3, to: 5 },
    { from: 17, to: 19 },
  ]);
  const gone = Array.from({ length: 40 }, (_, ordinal) => ordinal).filter((ordinal) => isDead(dead, ordinal));
  expect(gone).toEqual([3, 4, 5, 17, 18, 19]);
});
