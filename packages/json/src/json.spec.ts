import { isJsonObject, type JsonValue, isDeeperThan } from './index.js';

it.each([
  ['{}', true],
  ['{"a":[1]}', true],
  ['[]', false],
  ['null', false],
  ['"{}"', false],
  ['1', false],
  ['true', false],
])('tells whether %s is an object', (text, isObject) => {
  expect(isJsonObject(JSON.parse(text))).toBe(isObject);
});

function nested(levels: number): JsonValue {
  return JSON.parse('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2)) as JsonValue;
}

describe('isDeeperThan', () => {
  it('counts objects and lists within each other', () => {
    expect(isDeeperThan(1, 0)).toBe(false);
    expect(isDeeperThan({}, 0)).toBe(true);
    expect(isDeeperThan({ a: 1, b: 'x', c: null }, 1)).toBe(false);
    expect(isDeeperThan([1, { a: [] }], 2)).toBe(true);
    expect(isDeeperThan([1, { a: [] }], 3)).toBe(false);
  });

  it('takes any depth', () => {
    expect(isDeeperThan(nested(100_000), 100)).toBe(true);
    expect(isDeeperThan(nested(100_000), 100_000)).toBe(false);
  });
});
