import { describe, expect, it } from '@jest/globals';
import { legible } from './legible.js';

describe('what is read of a text', () => {
  it.each([
    ['nothing', ''],
    ['a table', 'Un tableau :\n\n| a | b |\n| --- | --- |'],
    ['Chinese', '綠色貸款'.repeat(300)],
  ])('is all of it where that is %s', (_what, text) => expect(legible(text)).toBe(text));

  it.each([
    ['\t', 60],
    ['\n', 60],
    ['.', 61],
    ['a', 61],
    ['eyJ-', 30_000],
  ])('of a row of %j is its beginning', (unit, most) => {
    const text = legible(`x${unit.repeat(30_000)}y`);
    expect(text.length).toBeLessThanOrEqual(2 + unit.length * most);
    expect(text.at(0)).toBe('x');
    expect(text.at(-1)).toBe('y');
  });

  it('of a word without end is its beginning', () => expect(legible('abc'.repeat(1000))).toHaveLength(200));

  it('of a very long text is its beginning and its end', () => {
    const text = legible(`Bonjour. ${'12 kWh, puis '.repeat(20_000)} Merci.`);
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(/^Bonjour\..*Merci\.$/s);
  });
});
