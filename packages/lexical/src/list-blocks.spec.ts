import fc from 'fast-check';

import {
  type BlockChanges,
  changeBlocks,
  findInBlock,
  listsOfBlock,
  MAX_SHORT_BYTES,
  type StoredBlock,
} from './list-blocks.js';
import type { TermList } from './packed-lists.js';
import { eachPosting, PostingWriter } from './postings.js';

/** Ordinals by term. */
type Model = Map<number, number[]>;

function write(ordinals: readonly number[]): Buffer {
  const writer = new PostingWriter();
  writer.begin({ follows: true });
  for (const ordinal of ordinals) writer.add(ordinal, ordinal % 8);
  return writer.from(0);
}

function ordinalsOf({ data }: TermList): number[] {
  const ordinals: number[] = [];
  eachPosting(data, (ordinal, impact) => {
    expect(impact).toBe(ordinal % 8);
    ordinals.push(ordinal);
  });
  return ordinals;
}

/** The stored blocks after changes. */
function applied(blocks: readonly StoredBlock[], changes: BlockChanges): StoredBlock[] {
  const stored = new Map(blocks.map((block) => [block.firstTerm, block]));
  for (const term of changes.deleted) expect(stored.delete(term)).toBe(true);
  for (const block of changes.blocks) stored.set(block.firstTerm, block);
  return [...stored.values()].toSorted((one, other) => one.firstTerm - other.firstTerm);
}

function expectModel(blocks: readonly StoredBlock[], model: Model): void {
  const lists = blocks.flatMap(listsOfBlock);
  expect(lists.map(({ term }) => term)).toEqual([...model.keys()].toSorted((one, other) => one - other));
  for (const list of lists) {
    expect(ordinalsOf(list)).toEqual(model.get(list.term));
    const block = blocks.findLast(({ firstTerm }) => firstTerm <= list.term)!;
    expect(findInBlock(block, list.term)).toEqual(list.data);
    if (!model.has(list.term + 1)) expect(findInBlock(block, list.term + 1)).toBeNull();
  }
}

/** Hashes from the whole range, and some beside each other. */
const term = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: -200, max: 200 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 1),
);
const batches = fc.array(fc.uniqueArray(term, { minLength: 1, maxLength: 300 }), {
  minLength: 1,
  maxLength: 30,
});

it('blocks have what was added and is not gone, and each list is found in the block of its term', () => {
  fc.assert(
    fc.property(batches, fc.constantFrom(1, 2, 40, 1_000_000), (all, oneIn) => {
      const model: Model = new Map();
      let blocks: StoredBlock[] = [];
      all.forEach((terms, batch) => {
        const ordinals = [batch * 9000 + 1, batch * 9000 + 70];
        const additions = terms
          .toSorted((one, other) => one - other)
          .map((each) => ({ term: each, data: write(ordinals) }));
        const [first = 0, last = 0] = [additions[0]?.term, additions.at(-1)?.term];
        const covering = blocks.findLastIndex(({ firstTerm }) => firstTerm <= first);
        const known = blocks.slice(Math.max(0, covering)).filter(({ firstTerm }) => firstTerm <= last);
        const changes = changeBlocks(known, additions);
        blocks = applied(blocks, changes);
        for (const each of terms) model.set(each, [...(model.get(each) ?? []), ...ordinals]);
        for (const list of changes.grown) {
          expect(list.data.length).toBeGreaterThan(MAX_SHORT_BYTES);
          expect(ordinalsOf(list)).toEqual(model.get(list.term));
          model.delete(list.term);
        }
      });
      expectModel(blocks, model);
      const isGone = (ordinal: number): boolean =>
        ordinal % 9000 === 1 && ((ordinal - 1) / 9000) % oneIn === 0;
      for (const [each, ordinals] of model)
        model.set(
          each,
          ordinals.filter((ordinal) => !isGone(ordinal)),
        );
      const compact = applied(blocks, changeBlocks(blocks, [], isGone));
      expectModel(compact, model);
      expect(changeBlocks(compact, [], isGone)).toEqual({ blocks: [], deleted: [], grown: [] });
    }),
    { numRuns: 60 },
  );
});

it('blocks that were made before lists were packed are read, and packed when they are changed', () => {
  const [one, other] = [write([3, 90]).subarray(1), write([70]).subarray(1)];
  // For each list the distance from the previous term, its length in bytes, and its bytes.
  const old: StoredBlock = {
    firstTerm: -5,
    data: Buffer.concat([Uint8Array.of(5, one.length), one, Uint8Array.of(0x80, 1, other.length), other]),
  };
  const before: Model = new Map([
    [0, [3, 90]],
    [128, [70]],
  ]);
  expectModel([old], before);
  const changed = applied([old], changeBlocks([old], [{ term: 128, data: write([71]) }]));
  expectModel(changed, new Map([...before, [128, [70, 71]]]));
  expect(changed[0]?.data.subarray(0, 2)).toEqual(Buffer.of(0x80, 0));
});

it('nothing is left of blocks whose items are all gone', () => {
  const additions = Array.from({ length: 4000 }, (_, index) => ({
    term: index * 500_003 - 2 ** 30,
    data: write([5]),
  }));
  const { blocks } = changeBlocks([], additions);
  expect(blocks.length).toBeGreaterThan(10);
  expect(blocks[0]?.firstTerm).toBe(-(2 ** 31));
  expect(
    applied(
      blocks,
      changeBlocks(blocks, [], () => true),
    ),
  ).toEqual([]);
});
