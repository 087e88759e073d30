import fc from 'fast-check';

import {
  holdsTooManyValues,
  jsonFault,
  MAX_KEYS,
  MAX_NESTING,
  MAX_VALUES,
  TOO_DEEP,
  TOO_MANY_KEYS,
  TOO_MANY_VALUES,
} from './json-limits.js';

function objectOf(keys: number): object {
  return Object.fromEntries(Array.from({ length: keys }, (_, key) => [`key${key}`, 1]));
}

function bytes(text: string): Buffer {
  return Buffer.from(text);
}

it.each([
  ['a list', JSON.stringify(Array.from({ length: MAX_VALUES + 1 }, () => 1))],
  ['keys', JSON.stringify(Array.from({ length: MAX_VALUES / 500 }, () => objectOf(500)))],
  ['empty lists', `[${'[],'.repeat(MAX_VALUES)}[]]`],
])('%s may have too many values', (_, json) => {
  expect(jsonFault(bytes(json))).toBe(TOO_MANY_VALUES);
});

it('an object may have too many keys, and a list has none', () => {
  expect(jsonFault(bytes(JSON.stringify([objectOf(MAX_KEYS), objectOf(MAX_KEYS)])))).toBeNull();
  expect(jsonFault(bytes(JSON.stringify({ a: objectOf(MAX_KEYS + 1) })))).toBe(TOO_MANY_KEYS);
  expect(jsonFault(bytes(JSON.stringify(Array.from({ length: MAX_KEYS + 1 }, () => [{}]))))).toBeNull();
});

it.each([
  ['lists', '['.repeat(MAX_NESTING + 1) + ']'.repeat(MAX_NESTING + 1)],
  ['objects without an end', '{"a":'.repeat(MAX_NESTING + 1)],
])('%s may be nested too deep', (_, json) => {
  expect(jsonFault(bytes(json))).toBe(TOO_DEEP);
});

it('takes as deep as it says, again and again', () => {
  const deepest = '['.repeat(MAX_NESTING - 1) + ']'.repeat(MAX_NESTING - 1);
  expect(jsonFault(bytes(`[${deepest},${deepest}]`))).toBeNull();
});

it('counts nothing inside of texts', () => {
  const text = `${'[,"\\{'.repeat(MAX_VALUES)}`;
  expect(jsonFault(bytes(JSON.stringify({ text })))).toBeNull();
  expect(holdsTooManyValues({ text })).toBe(false);
});

it('takes what is small, whatever it is', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(jsonFault(bytes(json))).toBeNull();
      expect(holdsTooManyValues(JSON.parse(json))).toBe(false);
    }),
  );
});

it('refuses parsed values as well', () => {
  expect(holdsTooManyValues(Array.from({ length: MAX_VALUES }, () => []))).toBe(true);
  expect(holdsTooManyValues(Array.from({ length: MAX_VALUES / 2 }, () => 0))).toBe(false);
});
