import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { packBest, packInOrder } from './pack.js';

interface Item {
  name: string;
  tokens: number;
  score: number;
}

const item = (name: string, tokens: number, score = 1): Item => ({ name, tokens, score });
const namesOf = (items: readonly Item[]): string[] => items.map(({ name }) => name);
const scoreOf = ({ score }: Item): number => score;
const sumOf = (items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((sum, one) => sum + of(one), 0);

const anyItems = fc.array(
  fc.record({
    name: fc.string(),
    tokens: fc.integer({ min: 1, max: 60 }),
    score: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { maxLength: 10 },
);
const anyRoom = fc.integer({ min: -20, max: 200 });

describe('packing in order', () => {
  it('leaves out what does not fit in what those before it leave, and nothing else', () => {
    const { taken, left, tokens } = packInOrder([item('a', 50), item('b', 60), item('c', 40)], 100);
    expect([namesOf(taken), namesOf(left), tokens]).toEqual([['a', 'c'], ['b'], 90]);
  });

  it('never takes more than there is room for, and leaves nothing out without need', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const { taken, left, tokens } = packInOrder(items, room);
        expect(tokens).toBe(sumOf(taken, ({ tokens }) => tokens));
        expect(tokens).toBeLessThanOrEqual(Math.max(0, room));
        expect(taken.length + left.length).toBe(items.length);
        for (const one of left) {
          const before = items.slice(0, items.indexOf(one)).filter((other) => taken.includes(other));
          expect(sumOf(before, ({ tokens }) => tokens) + one.tokens).toBeGreaterThan(room);
        }
      }),
    );
  });
});

describe('packing the best', () => {
  it('takes all that fits together', () => {
    const items = [item('a', 50, 0.1), item('b', 50, 0.9)];
    expect(namesOf(packBest(items, 100, scoreOf).taken)).toEqual(['a', 'b']);
  });

  it('has a long item of little worth give way to several short ones', () => {
    const items = [item('best', 20, 1), item('long', 80, 0.5), item('c', 30, 0.4), item('d', 30, 0.4)];
    const { taken, left, tokens } = packBest(items, 100, scoreOf);
    expect([namesOf(taken), namesOf(left), tokens]).toEqual([['best', 'c', 'd'], ['long'], 80]);
  });

  it('keeps a long item that is worth more than what would fit in its place', () => {
    const items = [item('long', 80, 1), item('c', 40, 0.4), item('d', 40, 0.4)];
    expect(namesOf(packBest(items, 80, scoreOf).taken)).toEqual(['long']);
  });

  it('is worth as much as the best of all choices, and leaves nothing that would still fit', () => {
    fc.assert(
      fc.property(anyItems, anyRoom, (items, room) => {
        const { taken, left, tokens } = packBest(items, room, scoreOf);
        expect(tokens).toBe(sumOf(taken, ({ tokens }) => tokens));
        expect(tokens).toBeLessThanOrEqual(Math.max(0, room));
        expect(taken.length + left.length).toBe(items.length);
        const choices = Array.from({ length: 2 ** items.length }, (_, bits) =>
          items.filter((_, index) => (bits >> index) & 1),
        );
        const fitting = choices.filter((choice) => sumOf(choice, ({ tokens }) => tokens) <= room);
        const best = Math.max(0, ...fitting.map((choice) => sumOf(choice, scoreOf)));
        expect(sumOf(taken, scoreOf)).toBeCloseTo(best, 9);
        for (const one of left) expect(tokens + one.tokens).toBeGreaterThan(room);
      }),
    );
  });
});
