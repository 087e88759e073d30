import { linearPattern, UnusablePattern } from './compiled-schema.js';
import { patternSize } from './pattern-size.js';

describe('the size of a pattern', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['^[a-z\\]{9}]+$', 3],
    ['a{3}', 3],
    ['a{2,}', 3],
    ['a{0,9}b', 10],
    ['(ab){3}', 9],
    ['((a{10}){10}){9}', 999],
    ['a|b*|c?', 5],
    ['\\{99}', 4],
    ['\\u{2013}{2}', 2],
    ['\\p{L}{2}', 2],
    ['[[:alpha:]{9}', 9],
    ['[]a{9}', 10],
    ['\\Q[\\Ea{9}\\Q]\\E', 19],
    ['((((a{9}', 13],
  ])('of %s is %i', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size);
  });

  it.each(['.{0,1000}'.repeat(100), '((.{0,30}x?){0,30}y?){0,30}', '\\Q[\\E.{0,1000}.{0,1000}\\Q]\\E'])(
    'keeps %s from being read',
    (pattern) => {
      expect(() => linearPattern(pattern)).toThrow(UnusablePattern);
    },
  );

  it.each(['^[a-z0-9-]{1,255}(\\.[a-z]{1,63}){1,10}$', '^\\d{4}-\\d{2}-\\d{2}$', '^.{1,1000}$'])(
    'does not keep %s from it',
    (pattern) => {
      expect(linearPattern(pattern).test('2026-11-29')).toBe(
        pattern !== '^[a-z0-9-]{1,255}(\\.[a-z]{1,63}){1,10}$',
      );
    },
  );
});
