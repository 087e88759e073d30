import type { ShownMessage } from './conversation-operations.js';
import { exchangeGroups, keyOf } from './exchange-groups.js';
import type { Exchange } from './turns.js';

function exchange(number: number): Exchange {
  return { question: { id: `message ${number}` } as ShownMessage, answer: null };
}

function exchangesFrom(first: number, last: number): Exchange[] {
  return Array.from({ length: last - first + 1 }, (_, index) => exchange(first + index));
}

function keysOf(groups: Exchange[][]): string[][] {
  return groups.map((group) => group.map((exchange) => keyOf(exchange)));
}

it('keeps every exchange in its order', () => {
  const exchanges = exchangesFrom(1, 50);
  expect(exchangeGroups(6)(exchanges).flat()).toEqual(exchanges);
});

it('leaves groups as they are when more comes before them', () => {
  const groupsOf = exchangeGroups(6);
  const before = keysOf(groupsOf(exchangesFrom(101, 130)));
  const after = keysOf(groupsOf(exchangesFrom(1, 130)));
  expect(after.slice(-before.length)).toEqual(before);
});

it('leaves groups but the last as they are when more comes after them', () => {
  const groupsOf = exchangeGroups(6);
  const before = keysOf(groupsOf(exchangesFrom(1, 40)));
  const after = keysOf(groupsOf(exchangesFrom(1, 60)));
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
});
