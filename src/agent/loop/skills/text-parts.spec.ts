import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { partAt, partsOf } from './text-parts.js';

const line = fc.oneof(
  fc.nat({ max: 4000 }).map((length) => 'word '.repeat(length)),
  fc.nat({ max: 6000 }).map((length) => '盤查'.repeat(length)),
  fc.nat({ max: 6000 }).map((length) => '😀'.repeat(length)),
  fc.string({ unit: 'binary' }),
);
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('a text in parts', () => {
  it('is whole when they are put together, none too long, and none ends in half a character', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const parts = partsOf(whole);
        expect(parts.join('')).toBe(whole);
        for (const part of parts) {
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(12_000);
          if (whole.isWellFormed()) expect(part.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('ends them where lines end', () => {
    const whole = Array.from({ length: 900 }, (_, index) => `Line ${index} ${'x'.repeat(30)}`).join('\n');
    const parts = partsOf(whole);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(0, -1)) expect(part.endsWith('x\n')).toBe(true);
    expect(Math.min(...parts.slice(0, -1).map(({ length }) => length))).toBeGreaterThan(11_900);
  });

  it('has one, though it be empty', () => {
    expect(partsOf('')).toEqual(['']);
    expect(partAt('', 0)).toBe(1);
  });

  it('tells which of them a place is in', () => {
    const whole = 'a'.repeat(30_000);
    expect([0, 11_999, 12_000, 29_999, 30_000].map((index) => partAt(whole, index))).toEqual([1, 1, 2, 3, 3]);
  });
});
